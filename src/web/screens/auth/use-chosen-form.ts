import { useSearchParams } from 'react-router'
import { useIsAlive } from '../../use-is-alive.ts'

const names = ['sign-in', 'sign-up', 'forgot', 'check-mail'] as const
export type FormName = (typeof names)[number]

export function useChosenForm(): [chosen: FormName, choose: (name: FormName) => void] {
  const [search, setSearch] = useSearchParams()
  const isAlive = useIsAlive()
  const asked = names.find((name) => name === search.get('form'))
  function choose(name: FormName) {
    const change = (params: URLSearchParams) => {
      if (name === 'sign-in') params.delete('form')
      else params.set('form', name)
      return params
    }
    setSearch(change, { replace: true, preventScrollReset: true })
  }
  return [isAlive && asked ? asked : 'sign-in', choose]
}
