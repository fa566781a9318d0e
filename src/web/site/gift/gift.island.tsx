// The island of the page that opens a gift.
import { Gift } from './open-gift.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { page: Gift })
