//! Who and what there is on the code host.

use std::collections::HashMap;

/// People, installations of the app, and repositories.
#[derive(Debug, Clone)]
pub struct World {
    /// Everybody with an account.
    pub people: Vec<Person>,
    /// Where the app is installed.
    pub installations: Vec<Installation>,
    /// Former names of repositories (`owner/name` in lower case), with their ids.
    pub renamed: HashMap<String, u64>,
}

/// Somebody with an account.
#[derive(Debug, Clone)]
pub struct Person {
    /// Never changes, unlike the login.
    pub id: u64,
    /// The name in addresses.
    pub login: String,
    /// The name for people.
    pub name: Option<String>,
    /// Addresses, with whether each is primary and verified.
    pub emails: Vec<(String, bool, bool)>,
    /// The installations the person may see.
    pub installations: Vec<u64>,
}

/// The app on somebody's account.
#[derive(Debug, Clone)]
pub struct Installation {
    /// Its id.
    pub id: u64,
    /// The account's login.
    pub account: String,
    /// What the app was given.
    pub repositories: Vec<Repository>,
}

/// One repository.
#[derive(Debug, Clone)]
pub struct Repository {
    /// Never changes, unlike the name.
    pub id: u64,
    /// The account's login, in the letter case the host shows.
    pub owner: String,
    /// The name, in the letter case the host shows.
    pub name: String,
    /// The branch shown first.
    pub default_branch: String,
    /// All branches.
    pub branches: Vec<String>,
}

impl Repository {
    /// A repository with the branch `main`.
    pub fn new(id: u64, owner: &str, name: &str) -> Repository {
        Repository {
            id,
            owner: owner.into(),
            name: name.into(),
            default_branch: "main".into(),
            branches: vec!["main".into()],
        }
    }

    /// With further branches.
    pub fn with_branches<'a>(mut self, branches: impl IntoIterator<Item = &'a str>) -> Repository {
        self.branches.extend(branches.into_iter().map(str::to_owned));
        self
    }

    /// `owner/name`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }
}

impl Person {
    /// A person with a verified primary address `<login>@example.com`, who may see these installations.
    pub fn new(id: u64, login: &str, installations: &[u64]) -> Person {
        Person {
            id,
            login: login.into(),
            name: Some(format!("{login} of the code host")),
            emails: vec![(format!("{login}@example.com"), true, true)],
            installations: installations.to_vec(),
        }
    }

    /// With other addresses: address, primary, verified.
    pub fn with_emails(mut self, emails: &[(&str, bool, bool)]) -> Person {
        let owned = |(address, primary, verified): &(&str, bool, bool)| ((*address).to_owned(), *primary, *verified);
        self.emails = emails.iter().map(owned).collect();
        self
    }
}

/// `octo-ada`, `octo-ed`, `octo-eve` and `octo-vic` have the addresses of the test accounts `ada`, `ed`, `eve` and
/// `vic`; `octo-ana` has `ana@example.com`, which is nobody's. Installation 101 (`Octo-Org`) has `Octo-Org/Storefront` and
/// `Octo-Org/tools`, and ada and ed see it; 202 (`eve-corp`) has `eve-corp/secret-plans`, and only eve sees it.
impl Default for World {
    fn default() -> World {
        let person = |id, name: &str, installations: &[u64]| {
            let address = format!("{name}@example.com");
            Person::new(id, &format!("octo-{name}"), installations)
                .with_emails(&[("other@private.example", false, true), (&address, true, true)])
        };
        World {
            people: vec![
                person(1001, "ada", &[101]),
                person(1002, "ed", &[101]),
                person(1003, "eve", &[202]),
                person(1004, "vic", &[]),
                person(1005, "ana", &[]),
            ],
            installations: vec![
                Installation {
                    id: 101,
                    account: "Octo-Org".into(),
                    repositories: vec![
                        Repository::new(5001, "Octo-Org", "Storefront").with_branches(["feature/new-cart", "next"]),
                        Repository::new(5002, "Octo-Org", "tools"),
                    ],
                },
                Installation {
                    id: 202,
                    account: "eve-corp".into(),
                    repositories: vec![Repository::new(5003, "eve-corp", "secret-plans")],
                },
            ],
            renamed: HashMap::new(),
        }
    }
}

impl World {
    /// The person with this login.
    pub fn person(&self, login: &str) -> Option<&Person> {
        self.people.iter().find(|person| person.login == login)
    }

    /// The installation with this id.
    pub fn installation(&self, id: u64) -> Option<&Installation> {
        self.installations.iter().find(|installation| installation.id == id)
    }

    /// The installation with this id, to change it.
    #[track_caller]
    pub fn installation_mut(&mut self, id: u64) -> &mut Installation {
        self.installations
            .iter_mut()
            .find(|installation| installation.id == id)
            .expect("there is such an installation")
    }

    /// Renames a repository; its former name leads to it from now on.
    ///
    /// # Panics
    /// When there is no such repository.
    #[track_caller]
    pub fn rename(&mut self, id: u64, name: &str) {
        let mut all = self
            .installations
            .iter_mut()
            .flat_map(|installation| &mut installation.repositories);
        let repository = all
            .find(|repository| repository.id == id)
            .expect("there is such a repository");
        self.renamed.insert(repository.full_name().to_lowercase(), id);
        repository.name = name.to_owned();
    }

    /// The repository with this name, in any letter case, and its installation.
    pub fn repository(&self, owner: &str, name: &str) -> Option<(&Installation, &Repository)> {
        self.installations.iter().find_map(|installation| {
            let repository = installation.repositories.iter().find(|repository| {
                repository.owner.eq_ignore_ascii_case(owner) && repository.name.eq_ignore_ascii_case(name)
            })?;
            Some((installation, repository))
        })
    }
}
