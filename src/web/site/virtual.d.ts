declare module 'virtual:islands' {
  /** The script of loader.ts; empty while the shop is developed. */
  export const loader: string
  /** By an island's name: the addresses of its files, its own first, divided by spaces. */
  export const islandFiles: Readonly<Record<string, string>>
  /** The names of the texts that islands read. */
  export const islandTexts: readonly string[]
}
