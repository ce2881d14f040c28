/** Named by the declarations of the SDK; those of Node 20 do not have it. */
type HeadersInit = ConstructorParameters<typeof Headers>[0]
