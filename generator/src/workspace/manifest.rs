//! The one thing that is asked of a cargo manifest.

/// The package's name, from a manifest written with one key per line.
pub fn package_name(manifest: &str) -> Option<&str> {
    let package = manifest.lines().map(str::trim).skip_while(|line| *line != "[package]").skip(1);
    let mut lines = package.take_while(|line| !line.starts_with('['));
    lines.find_map(|line| {
        let (key, value) = line.split_once('=')?;
        let value = value.trim().strip_prefix('"')?;
        (key.trim() == "name").then_some(value.split_once('"')?.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_the_package_section() {
        let manifest = "# x\n[[bin]]\nname = \"other\"\n\n[package]\nversion = \"1\"\nname = \"demo\" # y\n\n[lib]\nname = \"z\"\n";
        assert_eq!(package_name(manifest), Some("demo"));
    }

    #[test]
    fn a_manifest_without_a_package_has_no_name() {
        for manifest in
            ["", "[workspace]\nname = \"x\"", "[package]\nversion = \"1\"\n[lib]\nname = \"x\"", "[package]\nname = 1"]
        {
            assert_eq!(package_name(manifest), None, "{manifest}");
        }
    }
}
