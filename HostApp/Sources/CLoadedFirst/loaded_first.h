// Empty: the module only names libraries.
