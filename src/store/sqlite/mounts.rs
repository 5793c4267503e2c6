//! Network mounts, where the locks of a database cannot be trusted.
//!
//! Most are identified by their `statfs` type. All FUSE file systems share one type, local and
//! remote: the mount table tells them apart.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// File system types shared between machines.
const NETWORK: [(u64, &str); 15] = [
    (0x6969, "NFS"),
    (0x517b, "SMB"),
    (0xff53_4d42, "CIFS"),
    (0xfe53_4d42, "SMB2"),
    (0x0102_1997, "9P"),
    (0x5346_414f, "AFS"),
    (0x6b41_4653, "AFS"),
    (0x7375_7245, "Coda"),
    (0x00c3_6400, "Ceph"),
    (0x0147_0c4f, "Ceph"),
    (0x0bd0_0bd0, "Lustre"),
    (0x0116_1970, "GFS2"),
    (0x7461_636f, "OCFS2"),
    (0x4750_4653, "GPFS"),
    (0x1983_0326, "BeeGFS"),
];

/// File system type of FUSE.
const FUSE: u64 = 0x6573_5546;

/// Names of FUSE file systems that reach other machines.
const NETWORK_FUSE: [&str; 15] = [
    "sshfs",
    "rclone",
    "s3fs",
    "goofys",
    "mount-s3",
    "gcsfuse",
    "blobfuse2",
    "davfs",
    "curlftpfs",
    "smbnetfs",
    "glusterfs",
    "ceph-fuse",
    "juicefs",
    "gvfsd-fuse",
    "mfs",
];

/// Returns the kind of network mount that a folder is on; `None` if it is local.
pub(in crate::store) fn network(folder: &Path) -> Option<String> {
    let kind = u64::try_from(rustix::fs::statfs(folder).ok()?.f_type).ok()?;
    if kind != FUSE {
        return by_type(kind).map(str::to_owned);
    }
    let device = std::fs::metadata(folder).ok()?.dev();
    let table = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    fuse(&table, device)
}

fn by_type(kind: u64) -> Option<&'static str> {
    let found = NETWORK.iter().find(|(network, _)| *network == kind);
    found.map(|(_, name)| *name)
}

/// Finds the network file system behind a FUSE mount in the mount table: a known name, or a source
/// like `host:/folder` or `//host/share`.
fn fuse(table: &str, device: u64) -> Option<String> {
    let number = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
    let line = table.lines().find(|line| line.split(' ').nth(2) == Some(&number))?;
    let (_, after) = line.split_once(" - ")?;
    let mut words = after.split(' ');
    let (kind, source) = (words.next()?, words.next().unwrap_or_default());
    let name = kind.strip_prefix("fuse.").unwrap_or(kind);
    let is_remote = kind != "fuseblk" && (source.contains(":/") || source.starts_with("//"));
    (NETWORK_FUSE.contains(&name) || is_remote).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{NETWORK, by_type, fuse, network};

    #[test]
    fn network_mounts_are_detected_by_type_and_local_ones_are_not() {
        for (kind, name) in NETWORK {
            assert_eq!(by_type(kind), Some(name));
        }
        // ext4, xfs, btrfs, tmpfs, overlay, zfs, f2fs
        for local in [0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0x2fc1_2fc1, 0xf2f5_2010] {
            assert_eq!(by_type(local), None, "{local:x}");
        }
        assert_eq!(network(Path::new("/proc")), None);
    }

    #[test]
    fn remote_fuse_mounts_are_detected_by_the_mount_table() {
        let table =
            |after: &str| format!("21 1 8:1 / / rw - ext4 /dev/sda1 rw\n42 27 0:39 / /mnt rw,nosuid - {after} rw\n");
        let device = rustix::fs::makedev(0, 39);
        for (mounted, expected) in [
            ("fuse.sshfs ada@till-1:/srv", Some("sshfs")),
            ("fuse.sshfs :/srv", Some("sshfs")),
            ("fuse.rclone box:", Some("rclone")),
            ("fuse.glusterfs one:/volume", Some("glusterfs")),
            ("fuse.another host:/share", Some("another")),
            ("fuse //host/share", Some("fuse")),
            ("fuse.bindfs /srv", None),
            ("fuse.gocryptfs /home/ada/secret", None),
            ("fuseblk /dev/sdb1", None),
        ] {
            assert_eq!(fuse(&table(mounted), device).as_deref(), expected);
        }
        assert_eq!(fuse("", device), None);
    }
}
