// The island of the page of sign-in.
import { startIslands } from '../start.tsx'
import { AuthCard } from './auth-card.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { card: AuthCard })
