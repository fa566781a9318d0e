// The island of the page that objects to the move of a purchase.
import { Objection } from './objection.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { page: Objection })
