//! Mutants at work: each plays the cases that reach its place, until one of them notices.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hookgen_runtime::evaluate::Stage;
use hookgen_runtime::representation::Archive;

use super::report::{Fate, Mutation, Tried};
use super::{Mutant, Reach, Trial};
use crate::cases::{Outcome, Player};
use crate::parallel;

/// How long cases are looked for that would notice what none does.
const LONGEST_SEARCH: Duration = Duration::from_secs(30);

impl Trial<'_> {
    /// Tries every mutant for as long as there is time; tells how many are done. If it is wanted, a case is looked for
    /// that would notice what none does.
    pub fn run(
        &self,
        mutants: &[Mutant],
        jobs: NonZeroUsize,
        budget: Duration,
        propose: bool,
        progress: &(dyn Fn(usize) + Sync),
    ) -> anyhow::Result<Mutation> {
        let deadline = Instant::now() + budget;
        let done = AtomicUsize::new(0);
        let texts = self.case_texts();
        let fates = parallel::map(mutants, jobs, |mutant| {
            let fate = if Instant::now() < deadline { self.fate(mutant, &texts) } else { Fate::Untried };
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            fate
        });
        let fates: Vec<(&Mutant, Fate)> = mutants.iter().zip(fates).collect();
        let deadline = deadline.min(Instant::now() + LONGEST_SEARCH);
        let tried = parallel::map(&fates, jobs, |(mutant, fate)| {
            let wanted = propose && matches!(fate, Fate::Survived { .. }) && Instant::now() < deadline;
            let fate = if wanted { Fate::Survived { proposal: self.proposal_for(mutant) } } else { fate.clone() };
            Tried::of(self, mutant, fate)
        });
        Ok(Mutation::of(self.outline.name.clone(), tried))
    }

    fn fate(&self, mutant: &Mutant, texts: &[String]) -> Fate {
        if !(0..self.outcomes.len()).any(|place| self.reaches(mutant, place)) {
            return Fate::Unreached;
        }
        let Some(player) = self.player_of(mutant) else { return Fate::Untried };
        for place in self.cases_of(mutant, texts) {
            let outcome = self.suite.run_one(&player, place).filter(|outcome| !outcome.passed());
            if let Some(noticed) = outcome {
                return Fate::Killed { case: noticed.case };
            }
        }
        Fate::Survived { proposal: None }
    }

    /// A case that would notice a mutant which none has noticed.
    fn proposal_for(&self, mutant: &Mutant) -> Option<String> {
        let player = self.player_of(mutant)?;
        let reached: Vec<usize> = (0..self.outcomes.len()).filter(|place| self.reaches(mutant, *place)).collect();
        let differs = |place: &usize| {
            let outcome = self.suite.run_one(&player, *place).zip(self.outcomes.get(*place));
            outcome.is_some_and(|(after, before)| after.differs(before))
        };
        let differing = reached.iter().copied().filter(|place| self.can_notice(mutant, *place)).find(differs);
        self.proposal(mutant, &player, differing, &reached)
    }

    /// Whoever plays calls on the changed catalog.
    fn player_of(&self, mutant: &Mutant) -> Option<Player> {
        let changed = Archive::with(self.archive, (mutant.make)()?).ok()?;
        // Calls refer to their catalog as long as the process lives. A changed one shares nearly all with the original.
        let archive: &'static Archive = Box::leak(Box::new(changed));
        Some(self.player.instead(Stage::new(archive, None)))
    }

    /// The cases that may notice it: those that hold what it is about first, then the quick ones.
    fn cases_of(&self, mutant: &Mutant, texts: &[String]) -> Vec<usize> {
        let mut cases: Vec<usize> = (0..self.outcomes.len()).filter(|place| self.can_notice(mutant, *place)).collect();
        cases.sort_by_key(|place| {
            let holds = !mutant.hint.is_empty() && texts.get(*place).is_some_and(|text| text.contains(&mutant.hint));
            (!holds, self.outcomes.get(*place).map(|outcome| outcome.took).unwrap_or_default())
        });
        cases
    }

    fn can_notice(&self, mutant: &Mutant, place: usize) -> bool {
        let shows = |outcome: &Outcome| mutant.sights.iter().any(|sight| outcome.seen.shows(*sight));
        self.reaches(mutant, place) && (mutant.sights.is_empty() || self.outcomes.get(place).is_some_and(shows))
    }

    fn reaches(&self, mutant: &Mutant, place: usize) -> bool {
        let Some(outcome) = self.outcomes.get(place).filter(|outcome| outcome.passed() && outcome.todo.is_none())
        else {
            return false;
        };
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
