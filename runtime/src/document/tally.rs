//! Numbers in a JSON record, counted up, and what stands beside them.

use std::borrow::Cow;

use crate::act::Sums;
use crate::json::{Json, Many};

/// The value with what changes in the record at the place. An error means that something else stands there.
pub(super) fn changed(value: Json<'static>, place: &[&str], sums: &Sums) -> Result<Json<'static>, String> {
    let Json::Object(fields) = value else { return Err(format!("{} stands where numbers are kept", value.kind())) };
    let mut fields = match fields {
        Many::Owned(fields) => fields,
        Many::Borrowed(fields) => fields.to_vec(),
    };
    match place.split_first() {
        Some((key, rest)) => {
            let empty = Json::Object(Many::Owned(Vec::new()));
            let inner = changed(taken(&mut fields, key).unwrap_or(empty), rest, sums)?;
            fields.push((Cow::Owned((*key).to_owned()), inner));
        }
        None => {
            for (name, more) in &sums.add {
                let sum = match taken(&mut fields, name) {
                    None => *more,
                    Some(Json::Int(so_far)) => so_far.saturating_add(*more),
                    Some(other) => return Err(format!("`{name}` is {}, not a whole number", other.kind())),
                };
                fields.push((Cow::Owned(name.to_string()), Json::Int(sum)));
            }
            for (name, text) in &sums.set {
                taken(&mut fields, name);
                let value = text.parse().map_or_else(|_| Json::Text(Cow::Owned(text.clone())), Json::Int);
                fields.push((Cow::Owned(name.to_string()), value));
            }
        }
    }
    // In a fixed order, so that two files can be compared by eye.
    fields.sort_by(|one, two| one.0.cmp(&two.0));
    Ok(Json::Object(Many::Owned(fields)))
}

fn taken(fields: &mut Vec<(Cow<'static, str>, Json<'static>)>, key: &str) -> Option<Json<'static>> {
    let at = fields.iter().rposition(|(name, _)| name == key)?;
    Some(fields.remove(at).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(text: &str, place: &[&str], add: &[(&'static str, i64)]) -> Result<String, String> {
        let add = add.iter().map(|&(name, more)| (name.into(), more)).collect();
        changed(Json::parse(text).expect(text).into_owned(), place, &Sums { add, ..Sums::default() })
            .map(|value| value.to_string())
    }

    #[test]
    fn a_new_value_takes_the_place_of_any_other() {
        let set = |name: &'static str, text: &str| (name.into(), text.to_owned());
        let sums = Sums { add: vec![("all".into(), 1)], set: vec![set("phase", "TEST PLAN"), set("calls", "0")] };
        let before = Json::parse(r#"{"calls":7,"phase":null,"all":7}"#).expect("valid").into_owned();
        let after = changed(before, &[], &sums).expect("changed").to_string();
        assert_eq!(after, r#"{"all":8,"calls":0,"phase":"TEST PLAN"}"#);
    }

    #[test]
    fn what_is_missing_starts_at_zero_and_the_rest_stays() {
        let first = tally("{}", &["tools", "Bash"], &[("calls", 1), ("ms", 20)]).expect("counted");
        assert_eq!(first, r#"{"tools":{"Bash":{"calls":1,"ms":20}}}"#);
        let second = tally(&first, &["tools", "Bash"], &[("calls", 1), ("ms", 5)]).expect("counted");
        assert_eq!(second, r#"{"tools":{"Bash":{"calls":2,"ms":25}}}"#);
        let third = tally(&second, &[], &[("calls", 1)]).expect("counted");
        assert_eq!(third, r#"{"calls":1,"tools":{"Bash":{"calls":2,"ms":25}}}"#);
    }

    #[test]
    fn what_somebody_else_wrote_there_is_left_alone() {
        assert!(tally("[]", &[], &[("calls", 1)]).is_err());
        assert!(tally(r#"{"tools":3}"#, &["tools"], &[("calls", 1)]).is_err());
        assert!(tally(r#"{"calls":"many"}"#, &[], &[("calls", 1)]).is_err());
    }

    #[test]
    fn a_count_ends_at_the_largest_number() {
        let most = format!(r#"{{"calls":{}}}"#, i64::MAX);
        assert_eq!(tally(&most, &[], &[("calls", 1)]), Ok(most));
    }
}
