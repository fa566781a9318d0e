// The island of the page of the author's letters.
import { startIslands } from '../start.tsx'
import { Letters } from './letters-form.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { page: Letters })
