/** Opening the data of `Intl` takes 10 ms and more. */
export function lazy<Value>(make: () => Value): () => Value {
  let cached: { value: Value } | undefined
  return () => (cached ??= { value: make() }).value
}
