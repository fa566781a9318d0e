export function isAdminPath(path: string): boolean {
  return path === '/admin' || path.startsWith('/admin/')
}
