// The island of the page of the excerpt.
import { startIslands } from '../start.tsx'
import { Excerpt } from './excerpt-form.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { page: Excerpt })
