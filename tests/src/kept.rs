//! What a server keeps: files in its data folder, or objects in the store of its cluster and rows in its databases.

use crate::cluster::Cluster;
use crate::core_database::Database;
use crate::disk;
use crate::server::Server;

impl Server {
    /// Names of the files of a kind (`sites`, `blobs`), wherever they lie for good.
    pub fn stored(&self, kind: &str) -> Vec<String> {
        match self.cluster() {
            Some(cluster) => cluster.objects(kind),
            None => disk::files(&self.data_dir().join(kind)),
        }
    }

    /// Names of the components that were staged, or serve or did.
    pub fn components(&self) -> Vec<String> {
        self.stored(self.cluster().map_or("artifacts", |_| "components"))
    }

    /// The approvals of its plugins.
    pub fn approvals(&self) -> String {
        if self.cluster().is_some() {
            return self.core().approvals();
        }
        std::fs::read_to_string(self.data_dir().join("plugins.lock")).expect("there are approvals")
    }

    /// The log of a build, as far as it is written; `None` when it is an object of the store, as it is after its end.
    pub fn written_log(&self, deployment: &str) -> Option<String> {
        if self.cluster().is_some() {
            return self.core().written_log(deployment);
        }
        let file = format!("logs/deployments/{deployment}.log");
        Some(std::fs::read_to_string(self.data_dir().join(file)).unwrap_or_default())
    }

    /// How many rows have this value in a column of this name, in each table of a plugin that has such a column. The databases are
    /// only read.
    pub fn rows_of_plugins(&self, column: &str, value: &str) -> Vec<u64> {
        let databases = match self.cluster() {
            Some(cluster) => databases_of_slots(cluster),
            None => {
                let slots = self.data_dir().join("slots");
                let names = disk::files(&slots).into_iter().filter(|name| name.ends_with(".db"));
                names.map(|name| Database::file(&slots.join(name))).collect()
            }
        };
        let rows = databases.iter().map(|database| database.rows_with(column, value));
        rows.flatten().collect()
    }

    /// All files of its data folders, and what stands in the databases of its cluster, each with the name of the file that a server
    /// alone has: for a search after secrets.
    pub fn contents(&self) -> Vec<(String, Vec<u8>)> {
        let mut contents: Vec<_> = self.data_dirs().flat_map(disk::contents).collect();
        if let Some(cluster) = self.cluster() {
            contents.push(("core.db".to_owned(), self.core().dump().into_bytes()));
            let slots = databases_of_slots(cluster).into_iter();
            contents.extend(slots.map(|slot| ("slots/one.db".to_owned(), slot.dump().into_bytes())));
        }
        contents
    }

    /// Names of the files in a folder that is each machine's own, such as `staging`.
    pub fn own_files(&self, folder: &str) -> Vec<String> {
        let folders = self.data_dirs().map(|data| disk::files(&data.join(folder)));
        folders.flatten().collect()
    }
}

fn databases_of_slots(cluster: &Cluster) -> Vec<Database> {
    let addresses = cluster.slot_urls();
    addresses.iter().map(|address| Database::shared(address)).collect()
}
