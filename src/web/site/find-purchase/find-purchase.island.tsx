// The island of the page that finds a purchase.
import { SignInByCode, WriteForm } from './write-form.tsx'
import { startIslands } from '../start.tsx'

export const start = (islands: HTMLElement[]) =>
  startIslands(islands, { account: SignInByCode, form: WriteForm })
