// Whether a product, or one that was bought, is a pre-order, of which nothing is out yet, or is out without its file.
import type { Purchase } from '../orders/purchases.ts'
import type { Release } from './products.ts'

export function isPreorder({ release }: { release?: Release | null | undefined }): boolean {
  return release ? !release.is_partial : false
}

type Delivered = Pick<Purchase['product'], 'is_digital' | 'release' | 'download_url' | 'files'>

/** The day of its release has come, and its file has not. */
export function lacksFile({ is_digital, release, download_url, files }: Delivered): boolean {
  return is_digital && !release && download_url === null && files.length === 0
}
