// Recognizes errors of the operating system, and describes a failure in one line.
export function failureReason(error: unknown): string {
  if (isDiskFull(error)) return 'There is no room left on the disk.'
  if (error instanceof SuppressedError) return failureReason(error.suppressed)
  if (!(error instanceof Error)) return String(error)
  const listening = listeningReason(error)
  if (listening !== undefined) return listening
  const closed = closedPath(error)
  if (closed !== undefined)
    return `The user who runs this may not open ${closed}. After a command that was run as root, give its folder back to the user of the shop with "chown -R".`
  if (errorCode(error) === 'EROFS' && 'path' in error)
    return `${String(error.path)} cannot be written, because its file system can only be read: mount it for writing, or set another folder.`
  // Drizzle's error names the query; its cause says what is wrong.
  if ('query' in error && error.cause) return failureReason(error.cause)
  return error.message || errorCode(error) || error.name
}

const listenReasons: Record<string, (port: string) => string> = {
  EADDRINUSE: (port) =>
    `Another program listens on port ${port}, or this shop runs already: stop it, or set another PORT.`,
  EACCES: (port) =>
    `The user who runs this may not listen on port ${port}: set a PORT from 1024 on, behind a proxy or a router that passes ${port} on.`,
  EADDRNOTAVAIL: () => 'HOST is no address of this machine: set one that it has, or leave HOST out.',
}

function listeningReason(error: Error): string | undefined {
  if (!('syscall' in error) || error.syscall !== 'listen' || !('port' in error)) return undefined
  return listenReasons[errorCode(error) ?? '']?.(String(error.port))
}

/** EPERM also means other things, but of chmod only this. */
function closedPath(error: Error): string | undefined {
  if (!('path' in error) || !('syscall' in error)) return undefined
  const code = errorCode(error)
  return code === 'EACCES' || (code === 'EPERM' && error.syscall === 'chmod') ? String(error.path) : undefined
}

const fullCodes = new Set<string | undefined>(['53100', 'ENOSPC', 'EDQUOT'])
const SQLITE_FULL = 13

/** The lock of the embedded PostgreSQL's folder. */
const isFullForSqlite = (error: Error) => 'errcode' in error && error.errcode === SQLITE_FULL

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof SuppressedError) return isDiskFull(error.suppressed)
  return fullCodes.has(errorCode(error)) || isFullForSqlite(error) || isDiskFull(error.cause)
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Serves `catch`: a file or a folder that is not there is none. */
export function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
}

const codes = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
)

export function isNetworkError(error: Error): boolean {
  return codes.has(errorCode(error) ?? '')
}
