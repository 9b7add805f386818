import type { Operation } from '../operation.ts';
import { adminCreateUser } from './admin-create-user.ts';
import { adminDisableProviderForUser } from './admin-disable-provider-for-user.ts';
import { adminDisableUser, adminEnableUser } from './admin-disable-user.ts';
import { adminGetUser } from './admin-get-user.ts';
import { adminLinkProviderForUser } from './admin-link-provider-for-user.ts';
import { adminResetUserPassword } from './admin-reset-user-password.ts';
import { adminSetUserPassword } from './admin-set-user-password.ts';
import { adminUpdateUserAttributes } from './admin-update-user-attributes.ts';
import { changePassword } from './change-password.ts';
import { confirmForgotPassword } from './confirm-forgot-password.ts';
import { confirmSignUp } from './confirm-sign-up.ts';
import { adminDeleteUser, deleteUser } from './delete-user.ts';
import { deleteUserAttributes } from './delete-user-attributes.ts';
import { forgotPassword } from './forgot-password.ts';
import { getTokensFromRefreshToken } from './get-tokens-from-refresh-token.ts';
import { getUserAttributeVerificationCode } from './get-user-attribute-verification-code.ts';
import { getUser } from './get-user.ts';
import { adminUserGlobalSignOut, globalSignOut } from './global-sign-out.ts';
import { initiateAuth } from './initiate-auth.ts';
import { listUsers } from './list-users.ts';
import { resendConfirmationCode } from './resend-confirmation-code.ts';
import { respondToAuthChallenge } from './respond-to-auth-challenge.ts';
import { revokeToken } from './revoke-token.ts';
import { signUp } from './sign-up.ts';
import { unsupportedFeatures } from './unsupported-features.ts';
import { updateUserAttributes } from './update-user-attributes.ts';
import { verifyUserAttribute } from './verify-user-attribute.ts';

/** Every operation, by its name in the `X-Amz-Target` header. */
export const operations = new Map<string, Operation>(
  Object.entries({
    ...unsupportedFeatures,
    AdminCreateUser: adminCreateUser,
    AdminDeleteUser: adminDeleteUser,
    AdminDisableProviderForUser: adminDisableProviderForUser,
    AdminDisableUser: adminDisableUser,
    AdminEnableUser: adminEnableUser,
    AdminGetUser: adminGetUser,
    AdminLinkProviderForUser: adminLinkProviderForUser,
    AdminResetUserPassword: adminResetUserPassword,
    AdminSetUserPassword: adminSetUserPassword,
    AdminUpdateUserAttributes: adminUpdateUserAttributes,
    AdminUserGlobalSignOut: adminUserGlobalSignOut,
    ChangePassword: changePassword,
    ConfirmForgotPassword: confirmForgotPassword,
    ConfirmSignUp: confirmSignUp,
    DeleteUser: deleteUser,
    DeleteUserAttributes: deleteUserAttributes,
    ForgotPassword: forgotPassword,
    GetTokensFromRefreshToken: getTokensFromRefreshToken,
    GetUser: getUser,
    GetUserAttributeVerificationCode: getUserAttributeVerificationCode,
    GlobalSignOut: globalSignOut,
    InitiateAuth: initiateAuth,
    ListUsers: listUsers,
    ResendConfirmationCode: resendConfirmationCode,
    RespondToAuthChallenge: respondToAuthChallenge,
    RevokeToken: revokeToken,
    SignUp: signUp,
    UpdateUserAttributes: updateUserAttributes,
    VerifyUserAttribute: verifyUserAttribute,
  }),
);
