//! The JSON Schema of catalogs, for editors. One for all catalogs.

use super::{Bug, Output, pretty_json};

/// `schema/catalog.schema.json`, relative to the root of everything generated.
pub fn schema_output() -> Result<Output, Bug> {
    Ok(Output::new("schema/catalog.schema.json", pretty_json(&crate::schema::schema())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_describes_a_catalog() {
        let output = schema_output().expect("emits");
        let schema: serde_json::Value = serde_json::from_str(&output.text).expect("JSON");
        assert!(schema["properties"]["hooks"].is_object());
    }
}
