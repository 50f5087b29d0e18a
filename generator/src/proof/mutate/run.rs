//! Mutants at work: each plays the cases that reach its place, until one of them notices.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hookgen_runtime::evaluate::Stage;
use hookgen_runtime::representation::Archive;

use super::super::recorder::{Recorder, Suppositions};
use super::super::seen::Seen;
use super::report::{Fate, Mutation, Tried};
use super::{Mutant, Mutants, Reach, Trial};
use crate::cases::{Outcome, Player};
use crate::parallel;

/// How long cases are looked for that would notice what none does.
const LONGEST_SEARCH: Duration = Duration::from_secs(30);

/// What is known of the cases before anything is changed.
struct Known {
    /// How each looks as written.
    texts: Vec<String>,
    /// What each has seen that would have come to something else; `None` where it cannot be asked.
    seen: Vec<Option<Seen>>,
}

/// A mutant and its number.
type Numbered<'m> = (usize, &'m Mutant);

impl Trial<'_> {
    /// Tries every mutant for as long as there is time; tells how many are done. If it is wanted, a case is looked for
    /// that would notice what none does.
    pub fn run(
        &self,
        mutants: &Mutants,
        jobs: NonZeroUsize,
        budget: Duration,
        propose: bool,
        progress: &(dyn Fn(usize) + Sync),
    ) -> anyhow::Result<Mutation> {
        let deadline = Instant::now() + budget;
        let done = AtomicUsize::new(0);
        let known = Known { texts: self.case_texts(), seen: self.supposed(mutants, jobs) };
        let numbered: Vec<Numbered<'_>> = mutants.list.iter().enumerate().collect();
        let fates = parallel::map(&numbered, jobs, |mutant| {
            let fate = if Instant::now() < deadline { self.fate(mutants, *mutant, &known) } else { Fate::Untried };
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            fate
        });
        let fates = once_each(numbered.into_iter().zip(fates).collect());
        let deadline = deadline.min(Instant::now() + LONGEST_SEARCH);
        let tried = parallel::map(&fates, jobs, |(mutant, fate)| {
            let wanted = propose && matches!(fate, Fate::Survived { .. }) && Instant::now() < deadline;
            let proposal = || Fate::Survived { proposal: self.proposal_for(mutants, *mutant, &known) };
            Tried::of(self, mutant.1, if wanted { proposal() } else { fate.clone() })
        });
        Ok(Mutation::of(self.outline.name.clone(), tried, (mutants.len() < mutants.all).then_some(mutants.all)))
    }

    /// Plays every case once more, and notes for which mutants anything would have come to another value on the way. To all
    /// others it is the same case.
    fn supposed(&self, mutants: &Mutants, jobs: NonZeroUsize) -> Vec<Option<Seen>> {
        let mut suppositions = Suppositions::default();
        for (number, mutant) in mutants.list.iter().enumerate() {
            mutant.instead.iter().for_each(|instead| suppositions.add(number, *instead));
        }
        // Calls refer to whoever watches them as long as the process lives.
        let recorder: &'static Recorder = Box::leak(Box::new(Recorder::of(suppositions)));
        let player = self.player.instead(Stage::new(mutants.archive, Some(recorder)), Some(recorder));
        let places: Vec<usize> = (0..self.outcomes.len()).collect();
        parallel::map(&places, jobs, |place| {
            self.outcomes.get(*place).filter(|outcome| counts(outcome))?;
            self.suite.run_one(&player, *place).filter(Outcome::passed).map(|outcome| outcome.seen)
        })
    }

    fn fate(&self, mutants: &Mutants, mutant: Numbered<'_>, known: &Known) -> Fate {
        if !(0..self.outcomes.len()).any(|place| self.reaches(mutant.1, place)) {
            return Fate::Unreached;
        }
        let cases = self.cases_of(mutant, known);
        if cases.is_empty() {
            return Fate::Survived { proposal: None };
        }
        let Some(player) = self.player_of(mutants, mutant.1) else { return Fate::Untried };
        for place in cases {
            let outcome = self.suite.run_one(&player, place).filter(|outcome| !outcome.passed());
            if let Some(noticed) = outcome {
                return Fate::Killed { case: noticed.case };
            }
        }
        Fate::Survived { proposal: None }
    }

    /// A case that would notice a mutant which none has noticed.
    fn proposal_for(&self, mutants: &Mutants, mutant: Numbered<'_>, known: &Known) -> Option<String> {
        let player = self.player_of(mutants, mutant.1)?;
        let reached: Vec<usize> = (0..self.outcomes.len()).filter(|place| self.reaches(mutant.1, *place)).collect();
        let differs = |place: &usize| {
            let outcome = self.suite.run_one(&player, *place).zip(self.outcomes.get(*place));
            outcome.is_some_and(|(after, before)| after.differs(before))
        };
        let differing = reached.iter().copied().filter(|place| self.can_notice(mutant, *place, known)).find(differs);
        self.proposal(mutant.1, &player, differing, &reached)
    }

    /// Whoever plays calls on the changed catalog.
    fn player_of(&self, mutants: &Mutants, mutant: &Mutant) -> Option<Player> {
        let changed = Archive::with(mutants.archive, (mutant.make)()?).ok()?;
        // Calls refer to their catalog as long as the process lives. A changed one shares nearly all with the original.
        let archive: &'static Archive = Box::leak(Box::new(changed));
        Some(self.player.instead(Stage::new(archive, None), None))
    }

    /// The cases that may notice it: those that hold what it is about first, then the quick ones.
    fn cases_of(&self, mutant: Numbered<'_>, known: &Known) -> Vec<usize> {
        let can_notice = |place: &usize| self.can_notice(mutant, *place, known);
        let mut cases: Vec<usize> = (0..self.outcomes.len()).filter(can_notice).collect();
        let hint = &mutant.1.hint;
        cases.sort_by_key(|place| {
            let holds = !hint.is_empty() && known.texts.get(*place).is_some_and(|text| text.contains(hint));
            (!holds, self.outcomes.get(*place).map(|outcome| outcome.took).unwrap_or_default())
        });
        cases
    }

    fn can_notice(&self, (number, mutant): Numbered<'_>, place: usize, known: &Known) -> bool {
        let held = |spot: usize| self.outcomes.get(place).is_some_and(|outcome| outcome.seen.may_have_held(spot));
        let differs = || match known.seen.get(place) {
            Some(Some(seen)) => seen.told_apart.has(number),
            _ => true,
        };
        self.reaches(mutant, place) && mutant.must_hold.is_none_or(held) && (mutant.instead.is_empty() || differs())
    }

    fn reaches(&self, mutant: &Mutant, place: usize) -> bool {
        let Some(outcome) = self.outcomes.get(place).filter(|outcome| counts(outcome)) else { return false };
        match &mutant.reach {
            Reach::Spots(spots) => spots.iter().any(|spot| outcome.seen.reached.has(*spot)),
            Reach::Hook(hook) => {
                let id = self.atlas.hooks.get(*hook);
                let steps = self.suite.case(place).map(|(_, case)| case.steps.as_slice()).unwrap_or_default();
                id == Some(&outcome.hook) || steps.iter().any(|step| step.hook.as_ref() == id)
            }
        }
    }

    /// What each case looks like as written.
    fn case_texts(&self) -> Vec<String> {
        let written =
            |place: usize| self.case_pointer(place).and_then(|at| self.document.get(&at)).map(ToString::to_string);
        let words = |place: usize| self.suite.case(place).map(|(_, case)| case.each.texts().join("\n"));
        (0..self.outcomes.len())
            .map(|place| written(place).unwrap_or_default() + &words(place).unwrap_or_default())
            .collect()
    }
}

/// Of the changes that are one to the catalog, the first that was noticed, or the first.
fn once_each(fates: Vec<(Numbered<'_>, Fate)>) -> Vec<(Numbered<'_>, Fate)> {
    let mut chosen: HashMap<&str, usize> = HashMap::new();
    for (place, ((_, mutant), fate)) in fates.iter().enumerate() {
        let Some(body) = mutant.body.as_deref() else { continue };
        let known = chosen.entry(body).or_insert(place);
        let is_noticed = |place: usize| fates.get(place).is_some_and(|(_, fate)| matches!(fate, Fate::Killed { .. }));
        if matches!(fate, Fate::Killed { .. }) && !is_noticed(*known) {
            *known = place;
        }
    }
    let stays = |place: usize, mutant: &Mutant| match mutant.body.as_deref() {
        Some(body) => chosen.get(body) == Some(&place),
        None => true,
    };
    let keep: Vec<bool> = fates.iter().enumerate().map(|(place, ((_, mutant), _))| stays(place, mutant)).collect();
    fates.into_iter().zip(keep).filter(|(_, stays)| *stays).map(|(one, _)| one).collect()
}

/// Whether a case says anything of a changed catalog.
fn counts(outcome: &Outcome) -> bool {
    outcome.passed() && outcome.todo.is_none()
}
