import { startIslands } from '../start.tsx'
import { TellMe } from '../tell-me/tell-me-form.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { page: TellMe })
