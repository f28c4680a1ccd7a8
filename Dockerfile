# The referee as an image: what is built here is one environment, copied whole onto a base with the same Python.
# deploy/image/README.md tells how to build and run it.
ARG BASE_IMAGE=python:3.11-slim-bookworm
# The same Python at the same place, and a C compiler for the hot modules beside it.
ARG BUILD_IMAGE=python:3.11-bookworm

FROM ${BUILD_IMAGE} AS build
# A folder of wheels mounted into the build, where there is no network: PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels.
ARG PIP_NO_INDEX
ARG PIP_FIND_LINKS
ARG PIP_DISABLE_PIP_VERSION_CHECK=1
ARG PIP_NO_CACHE_DIR=1
WORKDIR /src
COPY deploy/image/build.txt deploy/image/run.txt deploy/image/
RUN python3 -m venv /opt/build \
    && /opt/build/bin/pip install --require-hashes --requirement deploy/image/build.txt
RUN python3 -m venv --without-pip /opt/referee \
    && /opt/build/bin/pip --python /opt/referee/bin/python install --require-hashes --requirement deploy/image/run.txt
COPY pyproject.toml README.md LICENSE ./
COPY proto proto
COPY tests/corpus tests/corpus
COPY clients/python clients/python
COPY deploy/wheel deploy/wheel
COPY referee referee
RUN HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 \
        /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /opt/wheel . \
    && /opt/build/bin/pip --python /opt/referee/bin/python install --no-deps --no-index /opt/wheel/*.whl \
    && /opt/build/bin/cyclonedx-py environment --output-reproducible --output-file /opt/referee/sbom.cdx.json \
        /opt/referee/bin/python

FROM ${BASE_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="The Charleston referee" \
    org.opencontainers.image.description="A stateless gRPC service that judges the Charleston of American Mah Jongg" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}"
COPY --from=build /opt/referee /opt/referee
# glibc keeps what threads have freed for each of them: of every size two pieces will do, and the process grows less.
ENV PATH=/opt/referee/bin:${PATH} \
    GLIBC_TUNABLES=glibc.malloc.tcache_count=2 \
    PYTHONDONTWRITEBYTECODE=1 \
    REFEREE_LISTEN=0.0.0.0:50051 \
    REFEREE_METRICS=0.0.0.0:9464 \
    REFEREE_PIN=off
USER 10001:10001
EXPOSE 50051 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["referee", "health"]
ENTRYPOINT ["referee"]
CMD ["serve"]
