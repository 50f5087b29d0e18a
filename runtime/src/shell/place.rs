//! Where commands run: on this machine, on another one, or in a container that is given folders of this one.

use super::field::{Field, shown};
use super::path;
use super::programs::option_values;

/// Somewhere else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The other machine.
    pub(super) host: String,
    /// The container's image or name.
    pub(super) image: String,
    /// Folders of this machine, and where the container has them.
    pub(super) mounts: Vec<(String, String)>,
    /// The same as one would write it.
    pub(super) shown: Vec<String>,
}

impl Place {
    /// A container that is started or entered with these options.
    pub(super) fn of_container(image: &str, options: &[Field], folder: &str) -> Self {
        let mut place = Self { image: image.to_owned(), ..Self::default() };
        for volume in option_values(options, "v", &["volume"]) {
            if let Some((source, rest)) = volume.split_once(':') {
                place.mount(source, rest.split(':').next().unwrap_or_default(), folder);
            }
        }
        for mount in option_values(options, "", &["mount"]) {
            let value = |names: [&str; 3]| {
                mount.split(',').find_map(|part| {
                    part.split_once('=').filter(|(name, _)| names.contains(name)).map(|(_, value)| value)
                })
            };
            if let (Some(source), Some(target)) =
                (value(["src", "source", ""]), value(["dst", "target", "destination"]))
            {
                place.mount(source, target, folder);
            }
        }
        place
    }

    fn mount(&mut self, source: &str, target: &str, folder: &str) {
        let source = shown(source);
        // A bare name is a volume, which is no folder of this machine.
        if source.contains(['/', '~', '.', '$']) {
            let source = path::join(folder, &source);
            self.shown.push(format!("{source}:{}", shown(target)));
            self.mounts.push((source, shown(target)));
        }
    }

    /// The path as this machine has it. In a container, what is not mounted is the container's own.
    pub(super) fn here(&self, path: &str) -> String {
        if self.image.is_empty() {
            return path.to_owned();
        }
        for (source, target) in &self.mounts {
            if let Some(rest) = path.strip_prefix(target.as_str())
                && (rest.is_empty() || rest.starts_with('/') || target.ends_with('/'))
            {
                return path::normal(&format!("{source}/{rest}"));
            }
            // What takes a mounted folder with it takes what is in it.
            if path != "/"
                && target.strip_prefix(path.trim_end_matches(['*', '/'])).is_some_and(|rest| rest.starts_with('/'))
                || matches!(path, "/" | "/*")
            {
                return source.clone();
            }
        }
        format!("{}:{path}", self.image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_mounted_is_ours_and_the_rest_is_not() {
        let place = Place {
            image: "alpine".into(),
            mounts: vec![("/".into(), "/h".into()), ("/w/src".into(), "/src".into())],
            ..Place::default()
        };
        assert_eq!(place.here("/h"), "/");
        assert_eq!(place.here("/h/etc"), "/etc");
        assert_eq!(place.here("/src/a"), "/w/src/a");
        assert_eq!(place.here("/etc"), "alpine:/etc");
        assert_eq!(place.here("/"), "/");
        assert_eq!(Place::default().here("/etc"), "/etc");
    }
}
