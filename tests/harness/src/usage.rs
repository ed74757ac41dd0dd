//! What a process used of the machine, from `/proc`.

/// Seconds of processor time a process had so far, without its children; 0 when it is gone.
pub fn processor_time(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // proc_pid_stat(5): the 14th field is `utime`, the 15th `stime`. The second is the program's name in parentheses, which
    // may hold spaces.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let ticks: f64 = fields
        .split(' ')
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / rustix::param::clock_ticks_per_second() as f64
}

/// The same with its children, and theirs.
pub fn processor_time_of_all(process: u32) -> f64 {
    processor_time(process) + children(process).into_iter().map(processor_time_of_all).sum::<f64>()
}

/// The children of a process, by id.
pub fn children(process: u32) -> Vec<u32> {
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    children
        .split_whitespace()
        .filter_map(|child| child.parse().ok())
        .collect()
}
