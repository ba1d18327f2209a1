// Measures matchit as MatchCost.swift measures the Swift matcher: it matches every address once and reads the value and the captures.
// Prints the nanoseconds per match.
//
//     matchit-bench ROUTES_FILE

use std::hint::black_box;
use std::time::Instant;

fn main() {
    let path = std::env::args().nth(1).expect("usage: matchit-bench ROUTES_FILE");
    let text = std::fs::read_to_string(path).expect("the routes can be read");
    let mut router = matchit::Router::new();
    let mut addresses = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (pattern, address) = line.split_once(' ').expect("a pattern and an address");
        router.insert(spelled(pattern), number).expect("the pattern is new");
        addresses.push(address.to_string());
    }
    let rounds = 400_000 / addresses.len();
    // The first round is a warm-up.
    measure(&router, &addresses, rounds);
    println!("{}", measure(&router, &addresses, rounds));
}

fn measure(router: &matchit::Router<usize>, addresses: &[String], rounds: usize) -> f64 {
    let start = Instant::now();
    let mut sum = 0usize;
    for _ in 0..rounds {
        for address in addresses {
            let found = router.at(black_box(address.as_str())).expect("a route");
            sum = sum.wrapping_add(*found.value);
            for (name, text) in found.params.iter() {
                sum = sum.wrapping_add(name.len() + text.len());
            }
        }
    }
    black_box(sum);
    start.elapsed().as_nanos() as f64 / (rounds * addresses.len()) as f64
}

// A capture is written `:name` in the file and `{name}` in matchit.
fn spelled(pattern: &str) -> String {
    let segments: Vec<String> = pattern
        .split('/')
        .map(|segment| match segment.strip_prefix(':') {
            Some(name) => format!("{{{name}}}"),
            None => segment.to_string(),
        })
        .collect();
    segments.join("/")
}
