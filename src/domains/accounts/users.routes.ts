// The routes of the users of the shop, for the admin area. What touches an account’s sign-in asks for a recent sign-in;
// what changes who is admin, and the reset of a second factor, for a recent proof.
import { z } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { id } from '#contract/fields.ts'
import { functionRefusals, readFunctionRequest } from '#platform/http/errors.ts'
import { limitAdminMails } from '#platform/http/rate-limits.ts'
import { body, createApi, created, idParam, ok, route, type ApiEnv, actorOf } from '#platform/http/route.ts'
import {
  addressConfirmation,
  disabledRequest,
  newUserRequest,
  proofGiven,
  role,
  userDetail,
  userList,
  userListRequest,
} from '#contract/accounts/users.ts'
import {
  confirmAddressChange,
  createUser,
  endSessions,
  getUser,
  listUsers,
  offer,
  resendVerification,
  resetFactors,
  setDisabled,
  setRole,
} from './users.ts'
import type { AccountsShop } from './shop.ts'

export type UsersApi = ReturnType<typeof usersApi>

const oneRole = z.object({ id, role })
/** The password is in the body, where it is needed; without a content type there is none. */
const optionalProof = { body: { content: { 'application/json': { schema: proofGiven } } } }
const done = ok(userDetail, 'The account as it is now')

export function usersApi(services: AccountsShop) {
  const { auth } = services
  const middleware = auth.requireRecentSignIn
  const mailing = { params: idParam, middleware: limitAdminMails(services) }
  return createApi()
    .openapi(
      route('get', '/users', { query: userListRequest, returns: ok(userList, 'A page of accounts') }),
      async (c) => c.json(await listUsers(services.db, c.req.valid('query')), 200),
    )
    .openapi(
      route('get', '/users/{id}', { params: idParam, returns: ok(userDetail, 'One account') }),
      async (c) => c.json(await getUser(services, c.req.valid('param').id), 200),
    )
    .openapi(
      route('post', '/users', {
        ...body(newUserRequest),
        middleware,
        returns: created(z.object({ message: z.string() }), 'The account was made'),
      }),
      async (c) => {
        const { displayName: display_name, current_password, ...account } = c.req.valid('json')
        const before = account.role === 'admin' ? await auth.prepareProof(c, current_password) : undefined
        await createUser(services, actorOf(c, services), { ...account, display_name }, { before })
        return c.json({ message: `User ${account.email} was created.` }, 201)
      },
    )
    .openapi(
      route('put', '/users/{id}/roles/{role}', {
        params: oneRole,
        ...optionalProof,
        middleware,
        returns: done,
      }),
      async (c) => {
        const { id: user_id, role: granted } = c.req.valid('param')
        const { current_password } = c.req.valid('json')
        const requireProof = granted === 'admin' ? await auth.prepareProof(c, current_password) : undefined
        const request = { role: granted, isGranted: true, requireProof }
        await setRole(services, actorOf(c, services), user_id, request)
        return c.json(await getUser(services, user_id), 200)
      },
    )
    .openapi(
      route('delete', '/users/{id}/roles/{role}', { params: oneRole, ...optionalProof, returns: done }),
      async (c) => {
        const { id: user_id, role: revoked } = c.req.valid('param')
        const requireProof = await auth.prepareProof(c, c.req.valid('json').current_password)
        const target = { role: revoked, isGranted: false, requireProof }
        await setRole(services, actorOf(c, services), user_id, target)
        return c.json(await getUser(services, user_id), 200)
      },
    )
    .openapi(
      route('put', '/users/{id}/disabled', {
        params: idParam,
        ...body(disabledRequest),
        middleware,
        returns: done,
      }),
      async (c) => {
        const { id: user_id } = c.req.valid('param')
        const { is_disabled: isDisabled, current_password } = c.req.valid('json')
        const requireProof = await auth.prepareProof(c, current_password)
        await setDisabled(services, actorOf(c, services), user_id, { isDisabled, requireProof })
        return c.json(await getUser(services, user_id), 200)
      },
    )
    .openapi(
      route('delete', '/users/{id}/sessions', {
        params: idParam,
        ...optionalProof,
        middleware,
        returns: done,
      }),
      async (c) => {
        const { id: user_id } = c.req.valid('param')
        const requireProof = await auth.prepareProof(c, c.req.valid('json').current_password)
        await endSessions(services, actorOf(c, services), user_id, requireProof)
        return c.json(await getUser(services, user_id), 200)
      },
    )
    .openapi(
      route('post', '/users/{id}/factor-reset', { params: idParam, ...body(proofGiven), returns: done }),
      async (c) => {
        const { id: user_id } = c.req.valid('param')
        const requireProof = await auth.prepareProof(c, c.req.valid('json').current_password)
        await resetFactors(services, actorOf(c, services), user_id, requireProof)
        return c.json(await getUser(services, user_id), 200)
      },
    )
    .openapi(
      route('post', '/users/{id}/address-confirmation', {
        params: idParam,
        ...body(addressConfirmation),
        returns: done,
      }),
      async (c) => {
        const { id: user_id } = c.req.valid('param')
        const { new_email, current_password } = c.req.valid('json')
        const requireProof = await auth.prepareProof(c, current_password)
        await confirmAddressChange(services, actorOf(c, services), user_id, { new_email, requireProof })
        return c.json(await getUser(services, user_id), 200)
      },
    )
    .openapi(route('post', '/users/{id}/data-offer', { ...mailing, returns: done }), async (c) => {
      const { id: user_id } = c.req.valid('param')
      await offer(services, actorOf(c, services), { user_id, kind: 'data_offered' })
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(route('post', '/users/{id}/erasure-offer', { ...mailing, returns: done }), async (c) => {
      const { id: user_id } = c.req.valid('param')
      await offer(services, actorOf(c, services), { user_id, kind: 'erasure_offered' })
      return c.json(await getUser(services, user_id), 200)
    })
    .openapi(route('post', '/users/{id}/verification', { ...mailing, returns: done }), async (c) => {
      const { id: user_id } = c.req.valid('param')
      await resendVerification(services, actorOf(c, services), user_id)
      return c.json(await getUser(services, user_id), 200)
    })
}

export function createUserFunction(services: AccountsShop) {
  const { requireUser, requireAdmin, requireAdminStill, requireRecentSignIn } = services.auth
  const guard = [functionRefusals, requireUser, requireAdmin, requireAdminStill, requireRecentSignIn] as const
  return new Hono<ApiEnv>().post('/admin-create-user', ...guard, async (c) => {
    const { displayName, current_password, ...account } = await readFunctionRequest(c, newUserRequest)
    const isAdmin = account.role === 'admin'
    const before = isAdmin ? await services.auth.prepareProof(c, current_password) : undefined
    const request = { ...account, display_name: displayName }
    await createUser(services, actorOf(c, services), request, { before })
    return c.json({ success: true, message: `User ${account.email} was created.` })
  })
}
