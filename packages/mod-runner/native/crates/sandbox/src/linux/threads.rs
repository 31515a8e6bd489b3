use std::fs;

use crate::Error;

/// How many threads the process has.
pub(crate) fn count_threads() -> Result<u32, Error> {
    let tasks = fs::read_dir("/proc/self/task")
        .map_err(|source| Error::Kernel { call: "reading /proc/self/task", source })?;
    Ok(u32::try_from(tasks.count()).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_more_is_counted() {
        let before = count_threads().unwrap();
        let (send, receive) = std::sync::mpsc::channel::<()>();
        let thread = std::thread::spawn(move || receive.recv());
        // Other tests come and go meanwhile: only a lower bound is certain.
        assert!(count_threads().unwrap() >= 2 && before >= 1);
        drop(send);
        assert!(thread.join().unwrap().is_err());
    }
}
