//! Workers that do the jobs of a build in a folder.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use shogi_rules::Shogi34;
use shogi_solve::builder::Job;
use shogi_solve::{Budget, Unit, df_pn};

/// Answers the jobs in a folder until the build is over: `answer` makes the text of a result of that of a job.
pub fn answer_jobs(folder: &Path, is_over: &AtomicBool, mut answer: impl FnMut(&str) -> String) {
    while !is_over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(2));
        let Ok(files) = fs::read_dir(folder) else { continue };
        for file in files.filter_map(|file| Some(file.ok()?.path())) {
            let (result, new) = (file.with_extension("result"), folder.join("new"));
            if file.extension() != Some("job".as_ref()) || result.exists() {
                continue;
            }
            // The build may take the job away at any time.
            let Ok(job) = fs::read_to_string(&file) else { continue };
            fs::write(&new, answer(&job)).unwrap();
            let _ = fs::rename(new, result);
        }
    }
}

/// The result of a job, honestly done.
pub fn result_of(job: &str) -> String {
    let options = df_pn::Options { hash_bytes: 1 << 16, ..Default::default() };
    let job = Job::<Shogi34>::from_json(job).unwrap();
    job.run(Unit, options, &mut Budget::unlimited()).unwrap()
}
