// The types of the module that tools/islands.ts makes: the loader, and the files and texts of each island.
declare module 'virtual:islands' {
  /** The script of loader.ts; empty while the shop is developed. */
  export const loader: string
  type Island = {
    /** The addresses of its files, its own first, divided by spaces. */
    files: string
    /** The addresses of further files, by the name of what it imports later. */
    later: Readonly<Record<string, string>>
    /** The names of the texts that it reads. */
    texts: readonly string[]
  }
  /** By name. */
  export const islands: Readonly<Record<string, Island>>
}
