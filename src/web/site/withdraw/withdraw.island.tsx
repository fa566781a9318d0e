// The island of the page on which a withdrawal is declared.
import { startIslands } from '../start.tsx'
import { Withdraw } from './declaration.tsx'
import { ProofOnly } from './proof.tsx'

export const start = (islands: HTMLElement[]) => startIslands(islands, { page: Withdraw, proof: ProofOnly })
