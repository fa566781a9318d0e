import { useLocation, useNavigation, useSearchParams } from 'react-router'

export function useAskedSearch(): URLSearchParams {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const coming = useNavigation().location
  return coming?.pathname === pathname ? new URLSearchParams(coming.search) : search
}
