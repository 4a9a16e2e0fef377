# What is installed besides the programs, the libraries and the page: the documentation, data, the
# Python package and the systemd unit.

# The documentation as HTML, below the page: the server has it under /docs/. Optional: it takes
# cmark-gfm and Python to make.
find_program(CMARK_GFM cmark-gfm)
find_program(PYTHON3 python3)
set(SITE ${CMAKE_BINARY_DIR}/docs)
if(CMARK_GFM AND PYTHON3)
    file(GLOB_RECURSE SITE_SOURCES CONFIGURE_DEPENDS docs/*)
    file(GLOB ROOT_PAGES CONFIGURE_DEPENDS *.md)
    add_custom_command(OUTPUT ${SITE}/index.html
        COMMAND ${PYTHON3} ${CMAKE_SOURCE_DIR}/tools/make-docs.py ${SITE}
        DEPENDS ${SITE_SOURCES} ${ROOT_PAGES} ${CMAKE_SOURCE_DIR}/tools/make-docs.py)
    add_custom_target(site ALL DEPENDS ${SITE}/index.html)
    add_dependencies(installed site)
    install(DIRECTORY ${SITE}/ DESTINATION ${WEB_DESTINATION}/docs)
else()
    message(STATUS "no HTML documentation: that takes cmark-gfm and python3")
endif()

# Books and openings are part of the programs; these are the files they were made from.
install(DIRECTORY data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/kraton/data)
# The documents link to each other, and those of the endgames to their data.
install(FILES README.md README.zh.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(FILE CHANGELOG.md SECURITY.md ARCHITECTURE.md CONTRIBUTING.md)
    install(FILES ${FILE} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
endforeach()
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(RELATIVE_PATH DATA_FROM_DOCS /${CMAKE_INSTALL_DOCDIR} /${CMAKE_INSTALL_DATADIR}/kraton/data)
install(CODE "
    set(LINK \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/data\")
    file(REMOVE \"\${LINK}\")
    file(CREATE_LINK ${DATA_FROM_DOCS} \"\${LINK}\" SYMBOLIC)
")
install(FILES tools/kraton_join.py DESTINATION ${CMAKE_INSTALL_DATADIR}/kraton)
install(DIRECTORY python/kraton DESTINATION lib/python3/dist-packages
    FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE)

# The systemd unit names the folder of the programs, which is known only now.
install(CODE "
    file(READ \"${CMAKE_SOURCE_DIR}/packaging/kraton.service.in\" UNIT)
    string(REPLACE @BINDIR@ \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\" UNIT \"\${UNIT}\")
    set(FOLDER \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/systemd/system\")
    file(MAKE_DIRECTORY \"\${FOLDER}\")
    message(STATUS \"Installing: \${FOLDER}/kraton.service\")
    file(WRITE \"\${FOLDER}/kraton.service\" \"\${UNIT}\")
")
