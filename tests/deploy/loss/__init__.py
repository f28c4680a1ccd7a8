"""The loss test: real hands go on being judged while replicas die, hang, drain, restart, join and are upgraded.

Every answer is compared with the core's own. `python -m tests.deploy.loss --help` tells what it can be asked.
"""
