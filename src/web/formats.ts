import { lazy } from '#platform/contract/lazy.ts'
import { formatNames } from '#features/products/contract/format-names.ts'
import type { Format } from '#features/products/contract/products.ts'

const list = lazy(() => new Intl.ListFormat('en-GB'))

export function formatFormats(formats: readonly Format[]): string {
  const names = formats.map((each) => formatNames[each])
  return list().format(names.map((name, index) => (index === 0 ? name : name.toLowerCase())))
}
