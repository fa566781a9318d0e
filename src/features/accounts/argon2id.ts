// What a password's hash costs: OWASP's second choice, 19 MiB, two passes, one lane.
// The package's algorithm is argon2id unless told otherwise.
export const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
