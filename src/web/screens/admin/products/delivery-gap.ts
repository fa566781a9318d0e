import type { DeliveryGap } from '#contract/catalog/admin-products.ts'

export const gapWords: Record<DeliveryGap, string> = {
  no_file: 'Not for sale: it has no file yet',
  part_without_file: 'Not for sale: a part of it has no file yet',
  lost_file: 'Not for sale: a file was lost in a restore; upload it again',
  empty_bundle: 'Not for sale: it holds nothing yet',
}
