//! Areas: stage, bar, pillars. They are drawn and never sold.

use crate::domain::plan::{Area, Point};
use crate::domain::text;

use super::node::Node;
use super::{NAME_MAX, PlanError, Reader, point};

impl Reader {
    /// An area's middle, half extent and text, whatever its shape.
    pub(super) fn area(&mut self, node: &Node, origin: (f64, f64)) -> Result<Area, PlanError> {
        let keys = [
            "shape",
            "position",
            "rotation",
            "color",
            "border_color",
            "polygon",
            "rectangle",
            "ellipse",
            "circle",
            "text",
            "uuid",
        ];
        self.known(node, &keys)?;
        let corner = node.position(origin)?;
        let shape = node.get("shape").and_then(|field| field.value.as_str());
        let (off, half) = match shape {
            Some("rectangle") => rectangle(node)?,
            Some("circle") => circle(node)?,
            Some("ellipse") => ellipse(node)?,
            Some("polygon") => polygon(node)?,
            Some("text") => ((0.0, 0.0), (0.0, 0.0)),
            _ => {
                self.odd(&node.path, "its shape is unknown; only its text is drawn");
                ((0.0, 0.0), (0.0, 0.0))
            }
        };
        let off = turned(off, node);
        let label = node.get("text");
        let written = label.as_ref().and_then(|text| text.value.get("text")?.as_str());
        Ok(Area {
            at: point(&node.path, (corner.0 + off.0, corner.1 + off.1))?,
            extent: positive(point(&node.path, half)?),
            text: text::fit(&text::clean(written.unwrap_or_default()), NAME_MAX),
        })
    }
}

/// The way from an area's position to its middle, and its half width and half height.
type Extent = ((f64, f64), (f64, f64));

fn rectangle(node: &Node) -> Result<Extent, PlanError> {
    let Some(shape) = node.get("rectangle") else {
        return Ok(Extent::default());
    };
    let half = (shape.number("width")? / 2.0, shape.number("height")? / 2.0);
    Ok((half, half))
}

fn circle(node: &Node) -> Result<Extent, PlanError> {
    let Some(shape) = node.get("circle") else {
        return Ok(Extent::default());
    };
    let radius = shape.number("radius")?;
    Ok(((0.0, 0.0), (radius, radius)))
}

fn ellipse(node: &Node) -> Result<Extent, PlanError> {
    let Some(shape) = node.get("ellipse") else {
        return Ok(Extent::default());
    };
    let Some(radius) = shape.get("radius") else {
        return Ok(Extent::default());
    };
    Ok(((0.0, 0.0), (radius.number("x")?, radius.number("y")?)))
}

fn polygon(node: &Node) -> Result<Extent, PlanError> {
    let Some(shape) = node.get("polygon") else {
        return Ok(Extent::default());
    };
    let mut corners = Vec::new();
    for corner in shape.list("points")? {
        corners.push((corner.number("x")?, corner.number("y")?));
    }
    let least = corners.iter().copied().reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))).unwrap_or_default();
    let most = corners.iter().copied().reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).unwrap_or_default();
    Ok((
        (f64::midpoint(least.0, most.0), f64::midpoint(least.1, most.1)),
        ((most.0 - least.0) / 2.0, (most.1 - least.1) / 2.0),
    ))
}

/// Areas are turned about their position, by degrees.
fn turned(off: (f64, f64), node: &Node) -> (f64, f64) {
    let degrees = node.get("rotation").and_then(|field| field.value.as_f64());
    let (sin, cos) = degrees.unwrap_or_default().to_radians().sin_cos();
    (off.0 * cos - off.1 * sin, off.0 * sin + off.1 * cos)
}

fn positive(half: Point) -> Point {
    Point { x: half.x.abs(), y: half.y.abs() }
}
