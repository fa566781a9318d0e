// What is for sale, as the page came, or as the shop has said since.
import { use } from 'react'
import { homeTexts } from '#words/home.ts'
import type { Product } from '#contract/catalog/products.ts'
import { api, responseOf } from '../../api.ts'
import { loadFailure } from '../../copy.ts'
import { createStore } from '../../page-state.ts'
import { toast } from '../../toasts.tsx'
import { useStore } from '../../use-page.ts'
import { ProductsContext } from '../page-data.tsx'

type Asked = 'asking' | 'missing' | Product[]

const asked = createStore<Asked | undefined>(undefined)

export function useProducts(): Asked {
  const ofPage = use(ProductsContext)
  return useStore(asked) ?? ofPage ?? 'asking'
}

export const isAsking = () => asked.get() === 'asking'

export async function askForProducts(): Promise<void> {
  asked.set('asking')
  try {
    asked.set(await responseOf(api.products.$get()))
  } catch (error) {
    toast(loadFailure(homeTexts.productsFailed, error))
    asked.set('missing')
  }
}
