// The products for sale, as the page came, or as the shop has said since.
import { use } from 'react'
import { homeTexts } from '#words/home.ts'
import type { Product } from '#contract/catalog/products.ts'
import { api, responseOf } from '../../api.ts'
import { loadFailure } from '../../notices/send.ts'
import { createStore } from '../../page/page-state.ts'
import { toast } from '../../notices/toasts.tsx'
import { useStore } from '../../page/use-page.ts'
import { ProductsContext } from '../page-data.tsx'

type ShownProducts = 'asking' | 'missing' | Product[]

const latest = createStore<ShownProducts | undefined>(undefined)

export function useProducts(): ShownProducts {
  const ofPage = use(ProductsContext)
  return useStore(latest) ?? ofPage ?? 'asking'
}

export const isAsking = () => latest.get() === 'asking'

export async function askForProducts(): Promise<void> {
  latest.set('asking')
  try {
    latest.set(await responseOf(api.products.$get()))
  } catch (error) {
    toast(loadFailure(homeTexts.productsFailed, error))
    latest.set('missing')
  }
}
