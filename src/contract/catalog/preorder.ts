// Whether a product, or one that was bought, is a pre-order: nothing of it is out yet.
import type { Release } from './products.ts'

export function isPreorder({ release }: { release?: Release | null | undefined }): boolean {
  return release ? !release.is_partial : false
}
