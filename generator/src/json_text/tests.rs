use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn what_is_json_is_read_and_what_is_not_is_refused_where_it_begins() {
    for text in ["0", " [1, -2.5e-7, 1E400] ", r#"{"a": {"b": [true, false, null, "\ud83d\"\\/"]}}"#, "[]", "{\t\r\n}"]
    {
        assert!(Document::parse(text).is_ok(), "{text}");
    }
    for (text, at) in [
        ("", 0),
        ("01", 1),
        ("1.", 2),
        ("-", 1),
        ("+1", 0),
        ("tru", 0),
        ("'a'", 0),
        ("\"a", 2),
        ("\"\n\"", 1),
        (r#""\x""#, 1),
        (r#""\u12"#, 1),
        ("[1 2]", 3),
        ("[1,]", 2),
        ("[,]", 1),
        ("{\"a\" 1}", 5),
        ("{a: 1}", 1),
        ("{\"a\": 1}}", 8),
        ("[1] // x", 4),
        ("[/* x */]", 1),
        ("\u{a0}1", 0),
        (r#"{"a": 1, "\u0061": 2}"#, 9),
    ] {
        assert_eq!(Document::parse(text).expect_err(text).at, at, "{text}");
    }
}

#[test]
fn depth_has_an_end() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(Document::parse(nested(200)).is_ok());
    assert!(Document::parse(nested(100_000)).is_err());
}

#[test]
fn elements_go_with_their_comma_and_others_stay_where_they_are() {
    let text = "{ \"l\": [ 1,  2 ,\n 3 ] }";
    let left = |which: Range<usize>| {
        let mut document = Document::parse(text).expect("JSON");
        document.remove(&[Step::Key("l")], which).expect("JSON");
        document.text().to_owned()
    };
    assert_eq!(left(0..1), "{ \"l\": [ 2 ,\n 3 ] }");
    assert_eq!(left(1..2), "{ \"l\": [ 1 ,\n 3 ] }");
    assert_eq!(left(1..3), "{ \"l\": [ 1 ] }");
}

#[test]
fn values_take_the_place_of_others_in_the_style_of_the_text() {
    let mut document = Document::parse("{\n\t\"l\": [\n\t\t1,\n\t\t2\n\t]\n}").expect("JSON");
    document.replace(&[Step::Key("l")], 0..1, &[json!({ "a": 1 }), json!(3)]).expect("JSON");
    assert_eq!(document.text(), "{\n\t\"l\": [\n\t\t{\n\t\t\t\"a\": 1\n\t\t},\n\t\t3,\n\t\t2\n\t]\n}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    /// Apart from what serde_json refuses to keep, both read the same.
    #[test]
    fn it_is_as_strict_as_serde(text in "[\\[\\]{}:,\"ab0-9. \\n\\\\/eE+-]{0,12}|\\{\"a\":[0-9.eE+-]{1,4}\\}") {
        let serde = serde_json::from_str::<Value>(&text);
        let ours = Document::parse(text.as_str());
        match (serde, ours) {
            (Ok(_), Ok(document)) => prop_assert_eq!(document.text(), text),
            (Err(_), Err(_)) => {}
            (Ok(_), Err(trouble)) => prop_assert!(trouble.what.contains("second time"), "{:?}", trouble),
            (Err(error), Ok(_)) => prop_assert!(error.to_string().contains("out of range"), "{}", error),
        }
    }
}
