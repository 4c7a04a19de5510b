# For the scripts beside this one: where the driver is, what it is built from, and how.
# `COTANGENT_DRIVER` names a folder with another driver, which is taken as it is.

root=$(cd "$(dirname "$0")/.." && pwd)
driver=${COTANGENT_DRIVER:-$root/target/cotangent-driver/release}
sources=$root/contract:$root/llvm:$root/engine:$root/std-rules:$root/cargo-cotangent

# Builds the driver where it is missing or older than its sources. Any number of these may run at once: cargo's lock on the
# target folder, which is not the one of the build that called us, lets them through one by one.
build_driver() {
    if [ -n "${COTANGENT_DRIVER:-}" ] || driver_is_fresh; then
        return
    fi
    tell "cotangent: building the driver from its sources (a minute or two, once)"
    stamp=$root/target/cotangent-driver.$$
    mkdir -p "$root/target"
    touch "$stamp"
    (
        # What the outer cargo tells its own rustc is not for the inner one.
        for name in $(env | sed -n 's/^\(CARGO_[A-Z0-9_]*\)=.*/\1/p'); do
            case $name in
            CARGO_HOME | CARGO_NET_* | CARGO_HTTP_* | CARGO_REGISTR* | CARGO_SOURCE_*) ;;
            *) unset "$name" ;;
            esac
        done
        unset RUSTFLAGS RUSTC_WORKSPACE_WRAPPER MAKEFLAGS MFLAGS RUSTC RUSTDOC TARGET OUT_DIR
        cd "$root"
        RUSTC_WRAPPER='' CARGO_TARGET_DIR=$root/target/cotangent-driver \
            cargo build --quiet --release --package cargo-cotangent >&2
    ) || {
        rm -f "$stamp"
        echo "error: cotangent: the driver cannot be built" >&2
        exit 1
    }
    # The time of the stamp is that of the beginning: what was changed meanwhile is newer.
    mv "$stamp" "$root/target/cotangent-driver/stamp"
}

# What goes to our own standard error cargo keeps and shows again with every later build; cargo's own it does not.
tell() {
    # Two writers into one file would overwrite each other.
    [ -f "/proc/$PPID/fd/2" ] || { echo "$1" >"/proc/$PPID/fd/2"; } 2>/dev/null || true
}

driver_is_fresh() {
    [ -x "$driver/cotangent-opt" ] && [ -e "$root/target/cotangent-driver/stamp" ] &&
        [ -z "$(cd "$root" && find contract llvm engine std-rules cargo-cotangent Cargo.toml Cargo.lock \
            \( -name '*.rs' -o -name '*.toml' -o -name '*.lock' \) \
            -newer target/cotangent-driver/stamp -print | grep -v '/tests/' | head -n 1)" ]
}
