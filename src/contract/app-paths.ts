// The addresses of the pages that are drawn in the browser; the others are the site’s.

const appPath = /^\/((confirm|dashboard|account|admin|setup)(\/|$)|purchase\/[^/]+\/receipt\/?$)/

export const isAppPath = (path: string) => appPath.test(path)

export const isAdminPath = (path: string) => /^\/admin(\/|$)/.test(path)
