// The island of the page that buys one product.
import { BuyForm } from './buy-form.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { form: BuyForm })
