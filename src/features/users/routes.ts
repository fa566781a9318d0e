// The users of the shop, for the admin area. What touches an account's way in asks for a recent sign-in; what changes who
// is admin, and the reset of a second factor, for a recent proof.
import type { WithAuth } from '../accounts/auth.ts'
import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { id } from '#platform/contract/fields.ts'
import {
  disabledRequest,
  newUserRequest,
  proofGiven,
  role,
  userDetail,
  userList,
  userListRequest,
} from './contract.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import type { Services } from '../../services.ts'
import {
  createUser,
  endSessions,
  getUser,
  listUsers,
  resendVerification,
  resetFactors,
  setDisabled,
  setRole,
} from './users.ts'
import { actorOf } from '../audit/actor.ts'
import { bearer, body, createApi, json, refusal, type ApiEnv } from '#platform/http/route.ts'

export type UsersApi = ReturnType<typeof usersApi>

const one = z.object({ id })
const oneRole = z.object({ id, role })
/** The password is in the body, where it is needed; without a content type there is none. */
const optionalProof = { body: { content: { 'application/json': { schema: proofGiven } } } }
const done = json(userDetail, 'The account as it is now')

export function usersApi(services: Services & WithAuth) {
  const { requireRecentSignIn } = services.auth
  const security = bearer
  const middleware = requireRecentSignIn

  const list = createRoute({
    method: 'get',
    path: '/users',
    security,
    request: { query: userListRequest },
    responses: { 200: json(userList, 'A page of accounts'), ...refusal },
  })
  const read = createRoute({
    method: 'get',
    path: '/users/{id}',
    security,
    request: { params: one },
    responses: { 200: json(userDetail, 'One account'), ...refusal },
  })
  const create = createRoute({
    method: 'post',
    path: '/users',
    security,
    middleware,
    request: body(newUserRequest),
    responses: { 201: json(z.object({ message: z.string() }), 'The account was made'), ...refusal },
  })
  const grant = createRoute({
    method: 'put',
    path: '/users/{id}/roles/{role}',
    security,
    middleware,
    request: { params: oneRole, ...optionalProof },
    responses: { 200: done, ...refusal },
  })
  const revoke = createRoute({
    method: 'delete',
    path: '/users/{id}/roles/{role}',
    security,
    request: { params: oneRole, ...optionalProof },
    responses: { 200: done, ...refusal },
  })
  const disable = createRoute({
    method: 'put',
    path: '/users/{id}/disabled',
    security,
    middleware,
    request: { params: one, ...body(disabledRequest) },
    responses: { 200: done, ...refusal },
  })
  const signOut = createRoute({
    method: 'delete',
    path: '/users/{id}/sessions',
    security,
    middleware,
    request: { params: one, ...optionalProof },
    responses: { 200: done, ...refusal },
  })
  const resetFactor = createRoute({
    method: 'post',
    path: '/users/{id}/factor-reset',
    security,
    request: { params: one, ...body(proofGiven) },
    responses: { 200: done, ...refusal },
  })
  const verify = createRoute({
    method: 'post',
    path: '/users/{id}/verification',
    security,
    request: { params: one },
    responses: { 200: done, ...refusal },
  })

  const prepareProof = (c: Context<ApiEnv>, current_password: string | undefined) => {
    const network = clientNetwork(c, services.config.trustedProxies)
    return services.auth.prepareProof(c.var.user, { current_password, network })
  }

  return createApi()
    .openapi(list, async (c) => c.json(await listUsers(services.db, c.req.valid('query')), 200))
    .openapi(read, async (c) => c.json(await getUser(services, c.req.valid('param').id), 200))
    .openapi(create, async (c) => {
      const { displayName: display_name, current_password, ...account } = c.req.valid('json')
      const before = account.role === 'admin' ? await prepareProof(c, current_password) : undefined
      await createUser(services, actorOf(c, services), { ...account, display_name }, { before })
      return c.json({ message: `User ${account.email} was created.` }, 201)
    })
    .openapi(grant, async (c) => {
      const { id: user_id, role: granted } = c.req.valid('param')
      const { current_password } = c.req.valid('json')
      const requireProof = granted === 'admin' ? await prepareProof(c, current_password) : undefined
      const wanted = { role: granted, isGranted: true, requireProof }
      await setRole(services, actorOf(c, services), user_id, wanted)
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(revoke, async (c) => {
      const { id: user_id, role: revoked } = c.req.valid('param')
      const requireProof = await prepareProof(c, c.req.valid('json').current_password)
      const wanted = { role: revoked, isGranted: false, requireProof }
      await setRole(services, actorOf(c, services), user_id, wanted)
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(disable, async (c) => {
      const { id: user_id } = c.req.valid('param')
      const { is_disabled: isDisabled, current_password } = c.req.valid('json')
      const requireProof = await prepareProof(c, current_password)
      await setDisabled(services, actorOf(c, services), user_id, { isDisabled, requireProof })
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(signOut, async (c) => {
      const { id: user_id } = c.req.valid('param')
      const requireProof = await prepareProof(c, c.req.valid('json').current_password)
      await endSessions(services, actorOf(c, services), user_id, requireProof)
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(resetFactor, async (c) => {
      const { id: user_id } = c.req.valid('param')
      const requireProof = await prepareProof(c, c.req.valid('json').current_password)
      await resetFactors(services, actorOf(c, services), user_id, requireProof)
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(verify, async (c) => {
      const { id: user_id } = c.req.valid('param')
      await resendVerification(services, actorOf(c, services), user_id)
      return c.json(await getUser(services, user_id), 200)
    })
}
