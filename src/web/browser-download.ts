// Lets the browser fetch a file to the user's disk: it shows how far it is, and goes on after a break.

export function save(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
