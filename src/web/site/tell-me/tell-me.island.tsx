// The island of the form that joins a waitlist.
import { startIslands } from '../start.tsx'
import { TellMe } from './tell-me-form.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { page: TellMe })
