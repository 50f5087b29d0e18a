//! Declarations: everything that there is to know about a function or an object, once.

/// Declares a function of the library.
///
/// The types are those of the language, in `signature::kind`. They are held against the Rust function: one that takes
/// or gives something else does not compile. A function with `powers` takes the call as its first argument.
macro_rules! function {
    (
        $constant:ident: $symbol:ident,
        name: $name:literal,
        $(receiver: $receiver:ty,)?
        params: { $($param:ident: $kind:ty),* },
        result: $result:ty,
        $(fallible: $fallible:tt,)?
        $(powers: [$($power:ident),+],)?
        doc: $doc:literal,
        example: $example:literal,
    ) => {
        pub(super) const $constant: $crate::signature::Function = {
            #[allow(clippy::allow_attributes, unused_imports, reason = "no declaration has all kinds in it")]
            use $crate::signature::kind::{Any, Bool, Double, Element, Int, Kind, List, Object, Pattern, Text};

            $crate::signature::Function {
                name: $name,
                symbol: stringify!($symbol),
                receiver: $crate::signature::declaration::optional!($(<$receiver as Kind>::TYPE)?),
                params: &[$((stringify!($param), <$kind as Kind>::TYPE)),*],
                result: <$result as Kind>::TYPE,
                contextual: $crate::signature::declaration::given!($($($power)+)?),
                fallible: $crate::signature::declaration::given!($($fallible)?),
                powers: &[$($($crate::signature::Power::$power),+)?],
                doc: $doc,
                example: $example,
                #[cfg(feature = "evaluate")]
                dynamic: {
                    fn dynamic(
                        call: &$crate::Call<'_>,
                        arguments: &[$crate::evaluate::Value<'_>],
                    ) -> $crate::Attempt<$crate::evaluate::Value<'static>> {
                        let mut arguments = arguments.iter();
                        $(let receiver = <$receiver as $crate::evaluate::Argument>::hold(arguments.next())?;)?
                        $(let $param = <$kind as $crate::evaluate::Argument>::hold(arguments.next())?;)*
                        debug_assert!(arguments.next().is_none(), "one argument for each parameter");
                        let _ = call;
                        let made = $symbol(
                            $($crate::signature::declaration::first!(call $($power)+),)?
                            $(<$receiver as $crate::evaluate::Argument>::lend(&receiver),)?
                            $(<$kind as $crate::evaluate::Argument>::lend(&$param),)*
                        );
                        Ok(<$result as $crate::evaluate::Outcome>::value($crate::signature::declaration::settled!(made $($fallible)?)))
                    }

                    dynamic
                },
            }
        };
    };
}

/// Declares a type of the library whose values have named parts in expressions; each part is a method of the type.
macro_rules! object {
    (
        $(#[$meta:meta])*
        $visible:vis $constant:ident: $type:ident,
        doc: $doc:literal,
        parts: { $($part:literal: $method:ident -> $kind:ty, $meaning:literal;)* }
    ) => {
        $(#[$meta])*
        $visible static $constant: $crate::signature::Object = {
            #[allow(clippy::allow_attributes, unused_imports, reason = "no declaration has all kinds in it")]
            use $crate::signature::kind::{Bool, Int, Kind, List, Text};

            $crate::signature::Object {
                name: stringify!($type),
                doc: $doc,
                parts: &[$(($part, <$kind as Kind>::TYPE, $meaning)),*],
            }
        };

        impl $crate::signature::kind::Parted for $type {
            const OBJECT: &'static $crate::signature::Object = &$constant;
        }

        #[cfg(feature = "evaluate")]
        impl $crate::evaluate::Thing for $type {
            fn name(&self) -> &'static str {
                stringify!($type)
            }

            fn part(&self, name: &str) -> Option<$crate::evaluate::Value<'static>> {
                #[allow(clippy::allow_attributes, unused_imports, reason = "no declaration has all kinds in it")]
                use $crate::signature::kind::{Bool, Int, List, Text};

                match name {
                    $($part => Some(<$kind as $crate::evaluate::Part>::value(self.$method())),)*
                    _ => None,
                }
            }

            fn parts(&self) -> &'static [(&'static str, $crate::signature::Type, &'static str)] {
                $constant.parts
            }
        }
    };
}

macro_rules! optional {
    () => {
        None
    };
    ($given:expr) => {
        Some($given)
    };
}

macro_rules! given {
    () => {
        false
    };
    ($($given:tt)+) => {
        true
    };
}

#[cfg(feature = "evaluate")]
macro_rules! first {
    ($first:ident $($rest:tt)+) => {
        $first
    };
}

#[cfg(feature = "evaluate")]
macro_rules! settled {
    ($made:ident) => {
        $made
    };
    ($made:ident true) => {
        $made?
    };
}

pub(crate) use {function, given, object, optional};

#[cfg(feature = "evaluate")]
pub(crate) use {first, settled};
