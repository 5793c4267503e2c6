//! Schema of what a program may say: JSON Schema, read off the types that read the input.
//!
//! A type asks its deserializer for what it has: the fields of a struct, the variants of an enum. The probe follows one
//! path into a type, notes what is asked for there, and gives no value. No type describes itself, and nothing is listed twice.

use std::cell::RefCell;

use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use serde_json::{Map, Value, json};

/// Deepest path into a type.
const DEPTH_MAX: usize = 12;

/// Operations that the house does by itself, or that begin with a PIN.
pub(super) const ELSEWHERE: &[&str] = &[
    "add_operator",
    "alert_reservation",
    "alert_tickets",
    "be_present",
    "begin_tidying",
    "change_pin",
    "end_hearing",
    "end_scrub",
    "expire_cart",
    "hear_again",
    "hear_event",
    "make_ticket_key",
    "offer_seats",
    "roll_horizon",
    "seal_journal",
    "sign_in",
    "tidy",
    "warn_cart",
];

/// Names of the variants of an enum, as they are written.
pub(super) fn names<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    match shape::<T>(&[]) {
        Some(Shape::Enum(names)) => names,
        Some(_) | None => &[],
    }
}

/// Schemas of an enum's variants but for some, by name.
pub(super) fn variants<'de, T: Deserialize<'de>>(without: &[&str]) -> Value {
    let here = names::<T>().iter().filter(|name| !without.contains(name));
    here.map(|name| ((*name).to_owned(), schema::<T>(&mut vec![Step::Into(name)]))).collect::<Map<_, _>>().into()
}

/// Step into a type: to a field or a variant by its name, or to what an option or a list has.
#[derive(Clone, Copy)]
enum Step {
    Into(&'static str),
    Inside,
}

/// Found at the end of a path.
enum Shape {
    Struct(&'static [&'static str]),
    Enum(&'static [&'static str]),
    Option,
    List,
    Map,
    Nothing,
    Plain(&'static str, String),
}

fn shape<'de, T: Deserialize<'de>>(path: &[Step]) -> Option<Shape> {
    let found = RefCell::new(None);
    // a probe gives no value
    let _ = T::deserialize(Probe { path, found: &found });
    found.into_inner()
}

fn schema<'de, T: Deserialize<'de>>(path: &mut Vec<Step>) -> Value {
    let Some(found) = shape::<T>(path).filter(|_| path.len() < DEPTH_MAX) else {
        return json!({});
    };
    let mut at = |step| {
        path.push(step);
        let inner = schema::<T>(path);
        path.pop();
        inner
    };
    match found {
        Shape::Struct(fields) => object(fields.iter().map(|field| (*field, at(Step::Into(field))))),
        Shape::Enum(names) => {
            let variant = |name: &&'static str| {
                let inner = at(Step::Into(name));
                if inner.is_null() { json!({ "const": name }) } else { object(std::iter::once((*name, inner))) }
            };
            json!({ "oneOf": names.iter().map(variant).collect::<Vec<_>>() })
        }
        Shape::Option => json!({ "anyOf": [at(Step::Inside), { "type": "null" }] }),
        Shape::List => json!({ "type": "array", "items": at(Step::Inside) }),
        Shape::Map => json!({ "type": "object", "additionalProperties": at(Step::Inside) }),
        Shape::Nothing => Value::Null,
        Shape::Plain("", description) => json!({ "description": description }),
        Shape::Plain(kind, description) => json!({ "type": kind, "description": description }),
    }
}

fn object(fields: impl Iterator<Item = (&'static str, Value)>) -> Value {
    let fields: Map<String, Value> = fields.map(|(name, field)| (name.to_owned(), field)).collect();
    json!({ "type": "object", "properties": fields, "additionalProperties": false })
}

/// Deserializer that follows a path into a type, and notes what is asked for at its end.
#[derive(Clone, Copy)]
struct Probe<'p> {
    path: &'p [Step],
    found: &'p RefCell<Option<Shape>>,
}

impl Probe<'_> {
    fn note<T>(self, shape: Shape) -> Result<T, Error> {
        *self.found.borrow_mut() = Some(shape);
        Err(Error::custom("no value"))
    }

    fn plain<'de, V: Visitor<'de>>(self, kind: &'static str, visitor: &V) -> Result<V::Value, Error> {
        let expected: &dyn Expected = visitor;
        self.note(Shape::Plain(kind, expected.to_string()))
    }

    /// Name at the start of the path, and the probe behind it.
    fn step(self) -> Option<(&'static str, Self)> {
        let (step, path) = self.path.split_first()?;
        let name = match step {
            Step::Into(name) => name,
            Step::Inside => "",
        };
        Some((name, Self { path, ..self }))
    }
}

/// Methods for plain values, each with its type in a schema.
macro_rules! plain {
    ($($method:ident $kind:literal),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.plain($kind, &visitor)
        }
    )+};
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Error;

    plain! {
        deserialize_any "", deserialize_bool "boolean", deserialize_i8 "integer", deserialize_i16 "integer",
        deserialize_i32 "integer", deserialize_i64 "integer", deserialize_i128 "integer", deserialize_u8 "integer",
        deserialize_u16 "integer", deserialize_u32 "integer", deserialize_u64 "integer", deserialize_u128 "integer",
        deserialize_f32 "number", deserialize_f64 "number", deserialize_char "string", deserialize_str "string",
        deserialize_string "string", deserialize_bytes "string", deserialize_byte_buf "string",
        deserialize_identifier "string", deserialize_ignored_any "",
    }

    fn deserialize_unit<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        self.note(Shape::Nothing)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.step() {
            Some((_, inside)) => visitor.visit_some(inside),
            None => self.note(Shape::Option),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.step() {
            Some((_, inside)) => visitor.visit_seq(One(inside, "")),
            None => self.note(Shape::List),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.plain("array", &visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.step() {
            Some((name, inside)) => visitor.visit_map(One(inside, name)),
            None => self.note(Shape::Map),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.step() {
            Some((name, inside)) => visitor.visit_map(One(inside, name)),
            None => self.note(Shape::Struct(fields)),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.step() {
            Some((name, inside)) => visitor.visit_enum(One(inside, name)),
            None => self.note(Shape::Enum(variants)),
        }
    }
}

/// The only member of a map, list or enum, by its name.
struct One<'p>(Probe<'p>, &'static str);

impl<'de> MapAccess<'de> for One<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let name: StrDeserializer<'_, Error> = self.1.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(self.0)
    }
}

impl<'de> SeqAccess<'de> for One<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        seed.deserialize(self.0).map(Some)
    }
}

impl<'de> EnumAccess<'de> for One<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<'_, Error> = self.1.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for One<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.0.note(Shape::Nothing)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_tuple(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        self.0.deserialize_struct("", fields, visitor)
    }
}
