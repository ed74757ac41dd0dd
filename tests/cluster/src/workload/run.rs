//! A run: a cluster, clients, trouble, and what is there in the end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use galley_harness::poll::within;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use super::client::{As, Client, Common};
use super::kept::Kept;
use super::project::Project;
use super::trouble;
use super::verdict::{self, Verdict};
use crate::cluster::{Cluster, Database};

/// How many projects clients use at a time: they have to meet.
const OPEN_PROJECTS: usize = 3;
/// How many requests a project gets before another one takes its place: short histories are searched soon.
const MAX_REQUESTS: usize = 240;
/// How soon an idle server has to answer in the end.
const END_TIMEOUT: Duration = Duration::from_secs(60);

/// What to do.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// What choices come from.
    pub seed: u64,
    /// How many servers there are.
    pub nodes: usize,
    /// How many clients.
    pub clients: usize,
    /// For how long.
    pub time: Duration,
}

/// The projects of a run.
#[derive(Default)]
struct Projects {
    open: RwLock<Vec<Arc<Project>>>,
    all: Kept<Arc<Project>>,
}

/// Runs it on this database, which is empty.
///
/// # Panics
/// When the cluster does not start.
pub fn run(plan: Plan, database: Box<dyn Database>) -> Verdict {
    let cluster = Cluster::start(plan.nodes, database);
    let credentials = cluster.first_account();
    let common = Common::of(cluster, credentials);
    let projects = Projects::default();
    let client = |number: usize| Client {
        number,
        common: common.clone(),
        // Clients make choices of their own.
        random: StdRng::seed_from_u64(plan.seed.wrapping_add(number as u64)),
    };
    let mut last = client(plan.clients);
    let outside = last.open_to_all();
    for _ in 0..OPEN_PROJECTS {
        let project = last.new_project().expect("a server that is well makes a project");
        projects.add(Arc::new(project));
    }
    let end = Instant::now() + plan.time;
    let is_over = AtomicBool::new(false);
    let struck = std::thread::scope(|scope| {
        let _end = End(&is_over);
        for number in 0..plan.clients {
            let (mut client, projects, outside, is_over) = (client(number), &projects, &outside, &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    client.act(projects, outside);
                }
            });
        }
        // Clients go on until the last fault is over: their answers say when that is.
        trouble::make(&common, &mut client(plan.clients + 1).random, end)
    });
    last.look_at_the_end(&projects.all.all());
    verdict::of(plan, &common, &struck, &projects.all.all())
}

/// Dropped, it is over for all clients.
struct End<'e>(&'e AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Projects {
    fn add(&self, project: Arc<Project>) {
        self.all.add(project.clone());
        self.open.write().unwrap_or_else(PoisonError::into_inner).push(project);
    }

    fn any(&self, random: &mut StdRng) -> Arc<Project> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        open[random.random_range(0..open.len())].clone()
    }

    /// Another one instead of this one, unless somebody was faster.
    fn replace(&self, old: &Project, new: Project) {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = open.iter_mut().find(|project| project.id == old.id) {
            *place = Arc::new(new);
            self.all.add(place.clone());
        }
    }
}

impl Client {
    /// Opens the instance to everybody, and makes a project with a public link; its id.
    fn open_to_all(&self) -> String {
        let settings = json!({ "allowPublicLinks": true, "allowAnonymousComments": true });
        let open = json!({ "slug": "outside", "name": "outside", "access": "public-link" });
        let change = self.request(0, As::Administrator, "PATCH", "/api/v1/instance/settings");
        change.json(&settings).send().expect(200);
        let make = self.request(0, As::Administrator, "POST", "/api/v1/projects");
        let made = make.json(&open).send().expect(201).json();
        made["id"].as_str().expect("a project has an id").to_owned()
    }

    /// Sends one request of any kind.
    fn act(&mut self, projects: &Projects, outside: &str) {
        let project = projects.any(&mut self.random);
        if project.requests() >= MAX_REQUESTS {
            if let Some(new) = self.new_project() {
                projects.replace(&project, new);
            }
            return;
        }
        let node = self.any_node();
        match self.random.random_range(0..20) {
            0..4 => self.write_facts(&project),
            4..8 => drop(self.read_facts_at(&project, node)),
            8 => self.upload(&project),
            9..11 => drop(self.open_at(&project, node)),
            11..14 => self.comment(&project),
            14..16 => drop(self.list_at(&project, node)),
            16 => self.write_settings(),
            17 => self.write_mail(),
            18 => drop(self.read_settings_at(node)),
            _ => self.look_from_outside(outside),
        }
    }

    /// Reads everything at every server.
    fn look_at_the_end(&mut self, projects: &[Arc<Project>]) {
        for node in 0..self.common.cluster.nodes().len() {
            let mut is_read = within(END_TIMEOUT, || self.read_settings_at(node).then_some(())).is_some();
            for project in projects {
                is_read &= within(END_TIMEOUT, || self.read_facts_at(project, node).then_some(())).is_some()
                    && within(END_TIMEOUT, || self.open_at(project, node).then_some(())).is_some()
                    && within(END_TIMEOUT, || self.list_at(project, node).then_some(())).is_some();
            }
            if !is_read {
                let said = format!("node {}: does not answer in the end", node + 1);
                self.common.wrong.add(said);
            }
        }
    }
}
