/** Made by the first who asks. For `Intl` above all: to open what it knows of the world takes 10 ms and more. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
