//! Search for receipts by number, customer and phone, with words of their performances and resources.

use crate::domain::customer::Customer;
use crate::domain::money::priced;
use crate::domain::receipt::Receipt;
use crate::domain::text::clean;
use crate::engine::reads::find::goods::{self, GoodsTitle};
use crate::engine::reads::find::matches::Likes;
use crate::engine::reads::find::{Hit, HitTarget, KIND_MAX, LOOKED_AT, Rank, Search, joined};
use crate::engine::work::Failure;
use crate::store::Value;

impl Search<'_, '_> {
    /// Finds receipts by number, customer and phone, with words of their performances and resources: newest first.
    pub(super) fn receipts(&mut self, goods: &[String]) -> Result<Vec<Hit>, Failure> {
        let numbered = self.numbered()?;
        let mut keys = numbered.clone();
        let mut likes = Likes::after(Vec::new());
        let named = likes.but(&mut self.words, goods, &["customer"]);
        // the sum keeps the database from walking all receipts by time of issue: the index of
        // customers covers the query
        let sql = format!(
            "SELECT key FROM receipt WHERE customer > '' AND ({named}) ORDER BY issued_at + 0 DESC LIMIT {LOOKED_AT}"
        );
        for row in self.snapshot.query(&sql, &likes.params)? {
            let key = row.text(0).to_owned();
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let mut receipts: Vec<Receipt> = self.snapshot.all(&keys)?;
        receipts.sort_by_key(|receipt| keys.iter().position(|key| *key == receipt.id.to_string()));
        let told = self.snapshot.each(&receipts, |snapshot, receipt| {
            Ok((snapshot.customer(receipt.customer)?, goods::goods(snapshot, &receipt.lines)?))
        })?;
        let mut hits = Vec::new();
        for (receipt, told) in receipts.iter().zip(told) {
            let is_named = numbered.contains(&receipt.id.to_string());
            if hits.len() < KIND_MAX {
                hits.extend(self.receipt((receipt, is_named), told));
            }
        }
        Ok(hits)
    }

    fn receipt(
        &mut self,
        (receipt, is_named): (&Receipt, bool),
        (customer, (goods, text)): (Customer, (Vec<GoodsTitle>, String)),
    ) -> Option<Hit> {
        let fields = [&*customer.name, &receipt.number, &text];
        if !is_named && !self.words.are_in(&fields, &customer.phone) {
            return None;
        }
        let more = match goods.len() {
            0 | 1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let name = Some(clean(&customer.name)).filter(|name| !name.is_empty());
        let price = priced(receipt.total, receipt.currency);
        Some(Hit {
            target: HitTarget::Receipt(receipt.id),
            name: name.unwrap_or_else(|| format!("receipt {}", receipt.number)),
            what: joined(&[&receipt.number, &customer.phone, &price]),
            when: goods.first().map_or_else(String::new, |first| format!("{first}{more}")),
            rank: if is_named { Rank::Named } else { self.rank(receipt.issued_at, receipt.issued_at) },
        })
    }

    /// Keys of the receipts with a typed number: `till-2/457`, or `457` of any station.
    fn numbered(&mut self) -> Result<Vec<String>, Failure> {
        let Some(text) = self.words.only() else {
            return Ok(Vec::new());
        };
        let (station, number) = text.rsplit_once('/').unwrap_or(("", text));
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Vec::new());
        }
        let (station, number) = (station.to_owned(), number.to_owned());
        let mut keys = Vec::new();
        let stations = "SELECT key FROM station ORDER BY key LIMIT 500";
        for row in self.snapshot.query(stations, &[])? {
            let name = row.text(0);
            if !station.is_empty() && name.to_lowercase() != station {
                continue;
            }
            let number: Value<'_> = format!("{name}/{number}").into();
            let found = "SELECT key FROM receipt WHERE number = $1";
            let found = self.snapshot.query(found, &[number])?;
            keys.extend(found.iter().map(|row| row.text(0).to_owned()));
        }
        Ok(keys)
    }
}
