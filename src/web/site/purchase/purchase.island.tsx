// The island of the page of a guest’s purchase.
import { OnePurchase } from './one-purchase.tsx'
import { Purchases } from './purchases.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { one: OnePurchase, all: Purchases })
