//! Where the workspace lies, what its crates declare, and how its commands are run. Apart from the chores so that
//! each of them starts cargo and the built binary in the same way.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// The workspace as cargo describes it.
pub struct Workspace {
    /// Absolute path of the folder with the root manifest.
    pub root: PathBuf,
    /// Absolute path of cargo's target folder.
    pub target: PathBuf,
    pub members: Vec<Member>,
}

/// One crate of the workspace.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    /// Its manifest, relative to the root, with `/`.
    pub manifest: String,
    pub dependencies: Vec<Dependency>,
}

/// One dependency as a manifest declares it, optional ones and those of one platform included.
#[derive(Clone, Debug)]
pub struct Dependency {
    pub name: String,
    pub development: bool,
}

impl Workspace {
    /// Asks cargo for the workspace this crate belongs to.
    pub fn find() -> Result<Workspace> {
        let mut command = MetadataCommand::new();
        command.no_deps();
        if let Some(folder) = std::env::var_os("CARGO_MANIFEST_DIR") {
            command.manifest_path(Path::new(&folder).join("Cargo.toml"));
        }
        let metadata =
            command.exec().context("cargo could not describe the workspace: repair its manifests")?;
        let root = metadata.workspace_root.clone().into_std_path_buf();
        let members =
            metadata.workspace_packages().into_iter().map(|package| member(package, &root)).collect();
        Ok(Workspace { root, target: metadata.target_directory.into_std_path_buf(), members })
    }

    /// The cargo that started this program, in the root of the workspace.
    pub fn cargo(&self) -> Command {
        self.command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// A program to be started in the root of the workspace.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// Builds a binary of a crate in a profile; where it lies. Each crate by itself, so that no feature that one asks
    /// for gets into another.
    pub fn build(&self, package: &str, binary: &str, profile: &str) -> Result<PathBuf> {
        self.build_with("", package, binary, profile)
    }

    /// The same, of one that asks for features, named as cargo names them.
    pub fn build_with(&self, features: &str, package: &str, binary: &str, profile: &str) -> Result<PathBuf> {
        let args = ["build", "--locked", "--package", package, "--bin", binary, "--profile", profile];
        run(self.cargo().args(args).args(["--features", features]))?;
        Ok(self.target.join(profile).join(format!("{binary}{}", std::env::consts::EXE_SUFFIX)))
    }

    /// Where the dev profile leaves the product.
    pub fn binary(&self) -> PathBuf {
        self.target.join("debug").join(format!("ygg{}", std::env::consts::EXE_SUFFIX))
    }
}

fn member(package: &Package, root: &Path) -> Member {
    let manifest = package.manifest_path.as_std_path();
    let manifest = manifest.strip_prefix(root).unwrap_or(manifest);
    let dependencies = package.dependencies.iter().map(|dependency| Dependency {
        name: dependency.name.clone(),
        development: dependency.kind == DependencyKind::Development,
    });
    Member {
        name: package.name.to_string(),
        manifest: manifest.to_string_lossy().replace('\\', "/"),
        dependencies: dependencies.collect(),
    }
}

/// Runs a command with its output shown as it comes; anything but success is an error that names the command.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("`{}` could not be started: is it installed?", line(command)))?;
    if !status.success() {
        bail!("`{}` ended with {status}", line(command));
    }
    Ok(())
}

/// The command as one would type it: the program's own name and its arguments.
pub fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_holds_this_crate() {
        let workspace = Workspace::find().expect("cargo describes the workspace that runs this test");
        let own = workspace.members.iter().find(|member| member.name == "xtask").expect("xtask is a member");
        assert_eq!(own.manifest, "xtask/Cargo.toml");
        let named = |name: &str| own.dependencies.iter().find(|dependency| dependency.name == name);
        assert!(named("regex").is_some_and(|dependency| !dependency.development));
        assert!(named("tempfile").is_some_and(|dependency| !dependency.development));
    }

    #[test]
    fn a_failing_command_is_named_without_its_folder() {
        let error = run(Command::new("/no/such/folder/ygg").arg("demo")).expect_err("it does not exist");
        assert_eq!(error.to_string(), "`ygg demo` could not be started: is it installed?");
    }
}
