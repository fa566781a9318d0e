// The code of an error from Node, PostgreSQL or a library.

/** Undefined where `error` has none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
