//! Looking at folders, and copying them.

use std::fs;
use std::io;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// Copies a folder with everything in it; permissions stay as they are. Sockets stay behind: they are of the process that
/// listens, or of one that was killed.
pub fn copy(from: &Path, to: &Path) {
    place(from, to, &|from, to| fs::copy(from, to).map(drop));
}

/// The same without copying files that nobody writes to: they are the same ones in both folders.
pub fn link(from: &Path, to: &Path) {
    place(from, to, &|from, to| {
        // Another file system has files of its own.
        fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
    });
}

fn place(from: &Path, to: &Path, file: &dyn Fn(&Path, &Path) -> io::Result<()>) {
    let entries = from
        .read_dir()
        .unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in entries {
        let entry = entry.expect("the folder is readable");
        let target = to.join(entry.file_name());
        let kind = entry.file_type().expect("an entry has a type");
        if kind.is_dir() {
            place(&entry.path(), &target, file);
        } else if !kind.is_socket() {
            file(&entry.path(), &target).expect("a file can be copied");
        }
    }
    let permissions = fs::metadata(from).expect("it is there").permissions();
    fs::set_permissions(to, permissions).expect("own folders can be changed");
}

/// Paths of all files below a folder, relative to it, sorted; none when it does not exist.
pub fn files(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    collect(folder, "", &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<String>) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.push(name);
        }
    }
}

/// Path and content of every file below a folder. A socket has none.
pub fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let is_socket =
        |file: &String| fs::symlink_metadata(folder.join(file)).is_ok_and(|facts| facts.file_type().is_socket());
    let read = |file: String| {
        let bytes = fs::read(folder.join(&file)).expect("own files can be read");
        (file, bytes)
    };
    let files = files(folder).into_iter();
    files.filter(|file| !is_socket(file)).map(read).collect()
}

/// Bytes of all files below a folder.
pub fn bytes(folder: &Path) -> u64 {
    files(folder)
        .iter()
        .filter_map(|file| fs::metadata(folder.join(file)).ok())
        .map(|facts| facts.len())
        .sum()
}
